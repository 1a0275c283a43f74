import type { OutboundRequest, OutboundResponse } from '@weft/outbound';
import type { HttpRequestContext } from '../http-request-context';

/** Sends one request as it is. */
export type Send = (request: OutboundRequest) => Promise<OutboundResponse>;

/**
 * Sends a request that must be signed, or whose sender has to prove something first. May send further requests by
 * the same way out.
 */
export type Exchange = (request: OutboundRequest, send: Send) => Promise<OutboundResponse>;

/** The part of a run that an exchange needs. */
export interface ExchangeRun {
  /** Unix milliseconds. */
  now(): number;
  /** Notes a secret that came into being, so that it is not seen in what the node gives and says. */
  hide(secret: string): void;
}

/** Makes the dependencies of exchanges from a node run. */
export function exchangeRun(context: HttpRequestContext): ExchangeRun {
  return { now: () => context.ports.clock.now(), hide: (secret) => context.hide(secret) };
}

/** The same request with one header set, in place of any of that name, and known as a secret. */
export function withSecretHeader(request: OutboundRequest, name: string, value: string): OutboundRequest {
  const key = name.toLowerCase();
  return {
    ...request,
    headers: [...(request.headers ?? []).filter(([given]) => given.toLowerCase() !== key), [name, value]],
    secretHeaders: [...(request.secretHeaders ?? []), name],
  };
}
