import { Client, Metadata, type CallOptions as GrpcCallOptions } from '@grpc/grpc-js';
import { requestOf, type StreamMethod, type UnaryMethod } from './methods.js';
import { channelCredentials, channelOptions, checkOptions, type ConnectOptions } from './options.js';

const DEADLINE_MS = 30_000;

/** Settings of one call. */
export interface CallOptions {
  /** Milliseconds that the call may take; that of the connection by default. A wait (`waitMs`) must be shorter. */
  readonly deadlineMs?: number;
  /** Cancels the call. */
  readonly signal?: AbortSignal;
  /** Names the request in the logs of all services: up to 100 letters, digits, `.`, `_`, `-`. */
  readonly requestId?: string;
}

/**
 * Calls of one service's address with one API key. Fields that a request leaves out have their defaults. A failed call
 * throws the `ServiceError` of grpc-js; `reasonOf` and `detailsOf` read it.
 */
export interface Connection {
  /** Calls a method: `await executions.call(ExecutionService.getExecution, { executionId })`. */
  readonly call: <Request, Response>(
    method: UnaryMethod<Request, Response>,
    request: Partial<NoInfer<Request>>,
    options?: CallOptions,
  ) => Promise<Response>;
  /**
   * Reads a stream: `for await (const frame of executions.stream(EventService.streamEvents, { executionId }))`. Leaving
   * the loop cancels the call.
   */
  readonly stream: <Request, Response>(
    method: StreamMethod<Request, Response>,
    request: Partial<NoInfer<Request>>,
    options?: CallOptions,
  ) => AsyncIterableIterator<Response>;
  /** Ends the connection; calls in progress continue. */
  readonly close: () => void;
}

/**
 * Connects to one service of Weft: workflows, executions or credentials. The connection is made with the first call and
 * renewed when it breaks; calls are not repeated.
 * @throws TypeError if a setting is invalid
 */
export const connect = (options: ConnectOptions): Connection => {
  checkOptions(options);
  const client = new Client(options.target, channelCredentials(options), channelOptions(options));
  const metadataOf = ({ requestId }: CallOptions): Metadata => {
    const metadata = new Metadata();
    metadata.set('x-svc-api-key', options.apiKey);
    if (requestId !== undefined) metadata.set('x-request-id', requestId);
    return metadata;
  };
  const limitsOf = ({ deadlineMs = options.deadlineMs ?? DEADLINE_MS }: CallOptions): GrpcCallOptions => ({
    deadline: Date.now() + deadlineMs,
  });
  /** Arguments of grpc-js for a request. */
  const sending = <Request, Response>(
    method: UnaryMethod<Request, Response> | StreamMethod<Request, Response>,
    request: Partial<Request>,
    call: CallOptions,
  ) => {
    const { path, requestSerialize, responseDeserialize } = method;
    const message = requestOf(method, request);
    return [path, requestSerialize, responseDeserialize, message, metadataOf(call), limitsOf(call)] as const;
  };
  return {
    call: (method, request, call = {}) =>
      new Promise((resolve, reject) => {
        const sent = client.makeUnaryRequest(...sending(method, request, call), (error, response) => {
          release();
          if (error !== null) reject(error);
          else if (response !== undefined) resolve(response);
        });
        const release = cancelOn(call.signal, sent);
      }),
    stream: async function* (method, request, call = {}) {
      const received = client.makeServerStreamRequest(...sending(method, request, call));
      const release = cancelOn(call.signal, received);
      try {
        yield* received;
      } finally {
        release();
        received.cancel();
      }
    },
    close: () => client.close(),
  };
};

/** Cancels a call when a signal is aborted. @returns what ends the observation */
const cancelOn = (signal: AbortSignal | undefined, call: { readonly cancel: () => void }): (() => void) => {
  const cancel = (): void => call.cancel();
  // grpc-js begins a call after the current function has returned, and ignores an earlier cancellation
  if (signal?.aborted === true) setImmediate(cancel);
  signal?.addEventListener('abort', cancel, { once: true });
  return () => signal?.removeEventListener('abort', cancel);
};
