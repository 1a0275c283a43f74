import type { BodyRoom } from './body-room';

/** Bytes of a request body, or a source that can be opened once for each time the body is sent. */
export type OutboundBody = Uint8Array | OutboundBodySource;

/** A body that is not held in memory. A redirect that repeats the body opens it again. */
export interface OutboundBodySource {
  open(): AsyncIterable<Uint8Array>;
  /** Bytes in all, if known; the body is sent in chunks otherwise. */
  readonly length?: number;
}

/** Client certificate and key, in PEM. */
export interface ClientCertificate {
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
  /** Authorities that the server's certificate may come from, instead of the usual ones. */
  readonly ca?: string;
}

/** Additions of a credential to a request besides its headers. */
export interface CredentialAdditions {
  /**
   * Parameters of the query in their encoded form, for example `key=a%20b`. A redirect within the origin keeps them;
   * one that leaves it continues without them, even if the service has put them into its address.
   */
  readonly query?: string;
  /** Headers and body without the fields that the credential adds to the body, for requests that leave the origin. */
  readonly elsewhere?: Pick<OutboundRequest, 'headers' | 'body'>;
}

/** One request to the outside. Nothing is retried. */
export interface OutboundRequest {
  /** Any method but CONNECT and TRACE. */
  readonly method: string;
  /** Absolute http or https URL without user and password. */
  readonly url: string;
  /** In the order in which they are sent; a name may occur more than once. */
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: OutboundBody;
  /** Milliseconds for everything: name look-up, redirects and the whole body. */
  readonly timeoutMs: number;
  /** Bytes of the response body after decompression; 32 MiB if absent. */
  readonly maxResponseBytes?: number;
  /**
   * Memory for the response body. It is asked once more than 256 KiB of it have arrived, and again when it exceeds what
   * it asked for; nothing is read meanwhile, and the time limit does not count. A body that takes longer than a
   * second holds what has arrived and 256 KiB more, and asks for all of it when it is complete.
   */
  readonly bodyRoom?: BodyRoom;
  /** True: the response is complete with its headers; its body is not read, and its connection ends. */
  readonly skipsBody?: boolean;
  readonly followRedirects: boolean;
  /** Hops beyond the first request; 5 if absent, at most 21. */
  readonly maxRedirects?: number;
  /** Accepts certificates that cannot be verified. False if absent. */
  readonly allowUnauthorizedCerts?: boolean;
  /** Shown to the first origin alone: a redirect that leaves it continues without. */
  readonly clientCertificate?: ClientCertificate;
  /** Aborting ends the socket. */
  readonly signal?: AbortSignal;
  /** Host patterns (`host`, `*.suffix`, either with `:port`); every hop must fit one. Absent: no such limit. */
  readonly allowedHosts?: readonly string[];
  /** The same for the hosts that an app declares: every hop must fit one of these as well. */
  readonly declaredHosts?: readonly string[];
  /**
   * Names of headers that carry credentials. They are left out, with Authorization and Cookie, once the origin changes.
   */
  readonly secretHeaders?: readonly string[];
  /** The other additions of a credential, which only the first origin gets. */
  readonly credential?: CredentialAdditions;
  /** Sent as Idempotency-Key unless `headers` hold that name already. */
  readonly idempotencyKey?: string;
}

/** A complete response of any status. */
export interface OutboundResponse {
  readonly status: number;
  readonly statusText: string;
  /** Names in lower case; `set-cookie` is always a list. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Decompressed; empty if it was not read. */
  readonly body: Uint8Array;
  /** The URL that answered, after redirects. */
  readonly url: string;
}

/** A request whose response is read as it arrives. `maxResponseBytes` counts after decompression, as for `request`. */
export interface OutboundStreamRequest extends Omit<OutboundRequest, 'bodyRoom' | 'skipsBody'> {
  /**
   * Milliseconds that the server may take between two chunks of the body, and before the first; 60,000 if absent. Time
   * that the reader takes does not count. `timeoutMs` limits everything, including time that the reader takes.
   */
  readonly idleTimeoutMs?: number;
}

/** The head of a response of any status, and its body as it arrives. */
export interface OutboundStream extends Omit<OutboundResponse, 'body'> {
  /**
   * Decompressed chunks of the body, for one iteration. The server is not read faster than the iteration asks.
   * Iteration throws OutboundError if the body is not complete, too large or too slow; leaving the iteration early
   * closes the connection.
   */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Closes the connection, unless the body has been read to its end. For a body that is not iterated. */
  cancel(): void;
}

/** Requests whose responses are read as they arrive. */
export interface OutboundStreams {
  /**
   * Sends one request, with the rules of `OutboundHttp.request`, and resolves with the head of the response. The time
   * limit, the signal and the byte limit apply until the body ends. A body that is neither iterated nor cancelled keeps
   * its connection until the time limit.
   * @throws OutboundRefused if a rule forbids it, OutboundError for everything else that is not a response.
   */
  stream(request: OutboundStreamRequest): Promise<OutboundStream>;
}

/** The one way out for everything that speaks HTTP on behalf of a workflow. */
export interface OutboundHttp {
  /**
   * Sends one request and reads the whole response.
   * @throws OutboundRefused if a rule forbids it, OutboundError for everything else that is not a response.
   */
  request(request: OutboundRequest): Promise<OutboundResponse>;
}

/** The reason there is no response. */
export type OutboundErrorCode =
  | 'REFUSED'
  | 'TIMEOUT'
  | 'ABORTED'
  | 'TOO_LARGE'
  | 'TOO_MANY_REDIRECTS'
  | 'HOST_NOT_FOUND'
  | 'CONNECTION_REFUSED'
  | 'CONNECTION_LOST'
  | 'CERTIFICATE'
  | 'PROTOCOL';

/** There is no response. The message is for the owner of the workflow: it holds no secret and no resolved address. */
export class OutboundError extends Error {
  readonly code: OutboundErrorCode;
  /** The system's own word, for example ECONNREFUSED. */
  readonly systemCode: string | undefined;

  constructor(code: OutboundErrorCode, message: string, systemCode?: string) {
    super(message);
    this.name = 'OutboundError';
    this.code = code;
    this.systemCode = systemCode;
  }
}

/** The request breaks a rule and was not sent, or a redirect of it was not followed. */
export class OutboundRefused extends OutboundError {
  /** Name of the rule, for example `private-address` or `reserved-header`. */
  readonly rule: string;

  constructor(rule: string, message: string) {
    super('REFUSED', message);
    this.name = 'OutboundRefused';
    this.rule = rule;
  }
}
