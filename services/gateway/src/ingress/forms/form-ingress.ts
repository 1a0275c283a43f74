import { Forbidden } from '@weft/service-kit/errors';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { EndpointNotFound } from '../../errors';
import { hostOf, ingressOrigin } from '../../middleware/client-origin';
import { type IngressOptions, type Ingress, openIngress } from '../open-ingress';
import { writeFormError } from './form-error';

/** A request for a form. */
export interface FormCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly options: IngressOptions;
  /** Path below the root of the ingress, as in the request. */
  readonly raw: string;
  readonly query: URLSearchParams;
  /** True if the form was submitted, false if it is requested. */
  readonly isSent: boolean;
}

/**
 * Prevents other sites from submitting a form with the permissions of the signed-in user. Compares hosts, not schemes:
 * behind a proxy that terminates TLS the gateway sees plain HTTP.
 * @throws Forbidden
 */
export const checkOrigin = ({ request, options }: FormCall): void => {
  const { origin } = request.headers;
  if (origin !== undefined && hostOf(origin) !== hostOf(ingressOrigin(request, options)))
    throw new Forbidden('The form was submitted from another site.');
};

/** Milliseconds for which a page waits for the run before it reports that it is waiting. */
export const PAGE_WAIT_MS = 4_000;

/** A counter that a page maintains in its address. */
export const countOf = (query: URLSearchParams, name: string): number => {
  const count = Number(query.get(name) ?? 0);
  return Number.isInteger(count) && count > 0 && count < 10_000 ? count : 0;
};

/** Handles the requests below a root, and answers errors with pages. */
export const openFormIngress = (
  { root, isSecret }: Pick<Ingress, 'root' | 'isSecret'>,
  options: IngressOptions,
  receive: (call: FormCall) => Promise<void>,
): RequestListener =>
  openIngress(options, {
    root,
    isSecret,
    receive: async (request, response) => {
      const [raw = '', ...query] = (request.url ?? '').slice(root.length).split('?');
      const { method = 'GET' } = request;
      const isSent = method === 'POST';
      if (!isSent && method !== 'GET' && method !== 'HEAD')
        throw new EndpointNotFound(method, `${root}${raw}`, ['GET', 'POST']);
      await receive({ request, response, options, raw, query: new URLSearchParams(query.join('?')), isSent });
    },
    writeError: writeFormError,
  });
