import type { IncomingMessage, ServerResponse } from 'node:http';
import { withoutTrailing } from '@weft/service-kit/text';
import { hostOf } from '../middleware/client-origin';
import { INGRESSES } from '../observing/route-names';

/** Which part of the gateway a request is for. */
export type Served = 'all' | 'ingress' | 'console' | 'moved' | 'nothing';

/**
 * Creates the division between the host of webhooks and forms and all other hosts of the gateway: `ingress` and
 * `console` are served; `moved` is a webhook or form that was requested from another host, `nothing` a page or API call
 * that was requested from theirs.
 * @param webhookHost base URL; empty: one host serves all
 */
export const createIngressHost = (webhookHost: string): ((request: IncomingMessage) => Served) => {
  if (webhookHost === '') return () => 'all';
  const { protocol, host } = new URL(webhookHost);
  return function servedOf(request) {
    const isIngress = INGRESSES.some((path) => request.url?.startsWith(path) === true);
    const isOwnHost = hostOf(`${protocol}//${request.headers.host ?? ''}`) === host;
    if (isOwnHost) return isIngress ? 'ingress' : 'nothing';
    return isIngress ? 'moved' : 'console';
  };
};

/**
 * Leads a caller of an address that was registered before webhooks had their own host there, with method and body.
 * Nothing that a workflow decides is in the response.
 */
export const leadToIngressHost = (request: IncomingMessage, response: ServerResponse, webhookHost: string): void => {
  response
    .writeHead(308, {
      location: `${withoutTrailing(webhookHost, '/')}${request.url ?? ''}`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-length': 0,
    })
    .end();
};
