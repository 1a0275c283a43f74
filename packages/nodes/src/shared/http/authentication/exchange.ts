import type { JsonObject } from '@weft/node-catalogue';
import type { OutboundRequest, OutboundResponse } from '@weft/outbound';
import type { RequestContext } from '../request-context';

/** Sends one request unchanged. */
export type Send = (request: OutboundRequest) => Promise<OutboundResponse>;

/**
 * Sends a request that must be signed, or that requires proof of identity first. May send further requests through the
 * same client.
 */
export type Exchange = (request: OutboundRequest, send: Send) => Promise<OutboundResponse>;

/** The part of a run that an exchange needs. */
export interface ExchangeRun {
  /** Unix milliseconds. */
  now(): number;
  /** Scopes that the app of the requests needs; absent for requests that a user writes. */
  readonly scopes?: readonly string[];
  /** Records a new secret, so that it does not appear in the node's output and messages. */
  hide(secret: string): void;
  /**
   * Reads the data of a credential again, with a token that can be used now.
   * @param refusedTokenHash SHA-256 in base64url of an access token that the service has just refused
   */
  readAgain?(type: string, refusedTokenHash: string | undefined): Promise<JsonObject>;
}

/** Creates the dependencies of exchanges from a node run. */
export function exchangeRun(context: RequestContext): ExchangeRun {
  return {
    now: () => context.ports.clock.now(),
    hide: (secret) => context.hide(secret),
    readAgain: (type, refusedTokenHash) => context.credential(type, refusedTokenHash),
  };
}

/** A copy of the request with a header set, which replaces any of that name and is recorded as a secret. */
export function withSecretHeader(request: OutboundRequest, name: string, value: string): OutboundRequest {
  const key = name.toLowerCase();
  return {
    ...request,
    headers: [...(request.headers ?? []).filter(([given]) => given.toLowerCase() !== key), [name, value]],
    secretHeaders: [...(request.secretHeaders ?? []), name],
  };
}
