import { Forbidden } from '@weft/service-kit/errors';
import type { IncomingMessage } from 'node:http';
import { hostOf, type ProxyTrust, requestOrigin } from '../middleware/client-origin';

/** A header that only this page sends: another site would need a CORS permission that is never granted. */
export const PAGE_HEADER = 'x-weft-settings';

/**
 * Allows changes only from the page itself. Compares hosts, not schemes: behind a proxy that terminates TLS the gateway
 * sees plain HTTP.
 * @param header that only the page sends
 * @throws Forbidden
 */
export const checkSameSite = (request: IncomingMessage, trust: ProxyTrust, header = PAGE_HEADER): void => {
  if (request.headers[header] === undefined)
    throw new Forbidden(`Requests that change state require the header ${header}.`);
  const { origin } = request.headers;
  if (origin !== undefined && hostOf(origin) !== hostOf(requestOrigin(request, trust)))
    throw new Forbidden('Cross-site requests are refused.');
};
