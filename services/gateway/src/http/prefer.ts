import type { IncomingHttpHeaders } from 'node:http';
import type { HeaderParameter } from '../openapi/route-doc';

/** Request header for a response without the changed object (RFC 7240). */
export const PREFER: HeaderParameter = {
  name: 'Prefer',
  description: 'With `return=minimal` the response is 204 with the new ETag, without the workflow and its warnings.',
};

/** True if the client needs no body. Unknown preferences are ignored. */
export const prefersMinimal = ({ prefer }: IncomingHttpHeaders): boolean =>
  (typeof prefer === 'string' ? prefer : '')
    .split(',')
    .some((preference) => /^\s*return\s*=\s*"?minimal"?\s*(?:;|$)/i.test(preference));
