import { Forbidden } from '@weft/service-kit/errors';
import type { Logger } from '@weft/service-kit/logging';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Clients } from '../../clients';
import { EndpointNotFound } from '../../errors';
import { requestOrigin, type ProxyTrust } from '../../middleware/client-origin';
import type { ReadBody } from '../../middleware/read-body';
import { assignRequestId } from '../../middleware/request-id';
import { runWithinLimit } from '../../middleware/time-limit';
import type { UploadGate } from '../uploads/upload-gate';
import { writeFormError } from './form-error';

/** What the doors of forms are made of. */
export interface FormOptions extends ProxyTrust {
  readonly clients: Clients;
  readonly logger: Logger;
  readonly readBody: ReadBody;
  readonly gate: UploadGate;
  readonly requestTimeLimitMs: number;
}

/** A request for a form. */
export interface FormCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly options: FormOptions;
  /** Below the door, as it stands in the request. */
  readonly raw: string;
  readonly query: URLSearchParams;
  /** The form was sent; else it is to be shown. */
  readonly isSent: boolean;
}

const hostOf = (origin: string): string | undefined => {
  try {
    return new URL(origin).host;
  } catch {
    return undefined;
  }
};

/**
 * Lets no other site send a form with the rights of whoever is signed in to it. Hosts are compared, not schemes: behind a
 * proxy that ends TLS the gateway sees plain HTTP.
 * @throws Forbidden
 */
export const checkOrigin = ({ request, options }: FormCall): void => {
  const { origin } = request.headers;
  if (origin !== undefined && hostOf(origin) !== hostOf(requestOrigin(request, options))) throw new Forbidden('The form was sent from the page of another site.');
};

/** Milliseconds for which a page waits for the run before it says that it waits. */
export const PATIENCE_MS = 4_000;

/** A number that a page counts for itself. */
export const countOf = (query: URLSearchParams, name: string): number => {
  const count = Number(query.get(name) ?? 0);
  return Number.isInteger(count) && count > 0 && count < 10_000 ? count : 0;
};

/** Takes the requests below a root, and answers errors as pages. */
export const openFormDoor = (root: string, options: FormOptions, receive: (call: FormCall) => Promise<void>): RequestListener => {
  const { logger, requestTimeLimitMs: limitMs } = options;
  return (request, response) => {
    const requestId = assignRequestId(request, response);
    const [raw = '', ...query] = (request.url ?? '').slice(root.length).split('?');
    const { method = 'GET' } = request;
    const call = { request, response, options, raw, query: new URLSearchParams(query.join('?')), isSent: method === 'POST' };
    const isKnown = call.isSent || method === 'GET' || method === 'HEAD';
    runWithinLimit(response, { requestId, limitMs, logger }, () => {
      const done = isKnown ? receive(call) : Promise.reject(new EndpointNotFound(method, `${root}${raw}`, ['GET', 'POST']));
      done.catch((error: unknown) => writeFormError(response, error, logger));
    });
  };
};
