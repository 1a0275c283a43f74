import type { Json, JsonObject } from '@weft/node-catalogue';
import type { Item } from './items';

/** One HTTP request to the outside. */
export interface OutboundRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** Milliseconds for the whole exchange, redirects included. */
  readonly timeoutMs: number;
  /** 0 answers with the redirect itself. */
  readonly maxRedirects: number;
  /** Accepts a certificate that cannot be verified. */
  readonly allowUnauthorizedCerts?: boolean;
  readonly signal: AbortSignal;
}

/** The answer to an outbound request. Any status is an answer; only a failed exchange throws. */
export interface OutboundResponse {
  readonly status: number;
  readonly statusText: string;
  /** Names in lower case; a header that came several times is a list. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Uint8Array;
}

/** The one way out: refuses private addresses, bounds time and size. */
export interface OutboundHttp {
  /** @throws Error with a message for the user when the address is refused or the exchange failed. */
  send(request: OutboundRequest): Promise<OutboundResponse>;
}

/** Hands out a stored credential for one node of the run that is under way. */
export interface CredentialUse {
  /** @throws Error with a message for the user when the credential is missing or may not be used here. */
  use(request: { readonly node: string; readonly type: string; readonly id: string }): Promise<JsonObject>;
}

/** Time as nodes see it. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Resolves after `ms`, or rejects when the signal fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** An answer for the caller of a webhook. */
export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string;
}

/** A sub-workflow that a node wants to run. */
export interface ChildRequest {
  readonly node: string;
  readonly run: number;
  /** The input item it is for, or 0 when it is for all. */
  readonly item: number;
  /** Id of a stored workflow, or a whole definition as JSON. */
  readonly workflow: { readonly id: string } | { readonly definition: Json };
  readonly input: readonly Item[];
  /** False: the parent goes on at once. */
  readonly waitForEnd: boolean;
}

/** What came of a sub-workflow. `waiting`: it goes on elsewhere, so the parent has to wait for it. */
export type ChildResult =
  | { readonly kind: 'finished'; readonly executionId: string; readonly items: readonly Item[] }
  | { readonly kind: 'failed'; readonly executionId: string; readonly message: string }
  | { readonly kind: 'started'; readonly executionId: string }
  | { readonly kind: 'waiting'; readonly executionId: string };

/** Everything outside the process that a node may reach. */
export interface NodePorts {
  readonly http: OutboundHttp;
  readonly credentials: CredentialUse;
  readonly clock: Clock;
  startChild(request: ChildRequest): Promise<ChildResult>;
  /** Answers the caller that waits for this run. The first answer counts; false if there was one before. */
  respond(answer: HttpAnswer): Promise<boolean>;
}
