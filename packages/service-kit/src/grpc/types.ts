import type { Principal } from '../auth';

/** One method of a generated service definition. */
export interface MethodDefinition {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  // Method notation, because only users of a definition know its message types.
  requestSerialize(value: unknown): Buffer;
  requestDeserialize(bytes: Buffer): unknown;
  responseSerialize(value: unknown): Buffer;
  responseDeserialize(bytes: Buffer): unknown;
}

/** A generated service definition, for example ExecutionServiceService. */
export type ServiceDefinition = Readonly<Record<string, MethodDefinition>>;

/** Request message of a method. */
export type RequestOf<Method extends MethodDefinition> = ReturnType<Method['requestDeserialize']>;

/** Response message of a method. */
export type ResponseOf<Method extends MethodDefinition> = ReturnType<Method['responseDeserialize']>;

/** Caller of a method, and its cancellation signal. */
export interface CallContext {
  readonly requestId: string;
  /** Calling service; undefined for an external caller. */
  readonly service: string | undefined;
  /** The user on whose behalf the call is made; undefined if a service calls for itself. */
  readonly principal: Principal | undefined;
  /** Aborted when the caller cancelled or the deadline passed. */
  readonly signal: AbortSignal;
  /** Id of the object that a repeatable call creates; undefined: a new id. See `repeatable`. */
  readonly createdId?: string;
}

/** Implementation of a method: messages in, messages out; errors are thrown. */
export type Handler<Method extends MethodDefinition> = Method['requestStream'] extends true
  ? (requests: AsyncIterable<RequestOf<Method>>, context: CallContext) => Promise<ResponseOf<Method>>
  : Method['responseStream'] extends true
    ? (request: RequestOf<Method>, context: CallContext) => AsyncIterable<ResponseOf<Method>>
    : (request: RequestOf<Method>, context: CallContext) => Promise<ResponseOf<Method>>;

/** Implementation of all methods of a service. */
export type Handlers<Definition extends ServiceDefinition> = {
  readonly [Name in keyof Definition]: Handler<Definition[Name]>;
};

/** One method of a client: a promise, or a stream of responses. */
export type Call<Method extends MethodDefinition> = Method['requestStream'] extends true
  ? (
      requests: Iterable<RequestOf<Method>> | AsyncIterable<RequestOf<Method>>,
      options?: CallOptions,
    ) => Promise<ResponseOf<Method>>
  : Method['responseStream'] extends true
    ? (request: RequestOf<Method>, options?: CallOptions) => AsyncIterable<ResponseOf<Method>>
    : (request: RequestOf<Method>, options?: CallOptions) => Promise<ResponseOf<Method>>;

/** All methods of a client. */
export type Calls<Definition extends ServiceDefinition> = {
  readonly [Name in keyof Definition]: Call<Definition[Name]>;
};

/** Options of a call. */
export interface CallOptions {
  /**
   * Timeout in milliseconds. The deadline of the current request also applies, whichever is sooner. Default: that
   * deadline, or 10,000 in background work.
   */
  readonly deadlineMs?: number;
  /** The user on whose behalf the call is made. */
  readonly principal?: Principal | undefined;
  /** A service token for this method signed by another service, used instead of the caller's own. */
  readonly token?: string;
  /** Cancels a stream of responses when it fires. */
  readonly signal?: AbortSignal;
  /** True for a long poll: it has a separate breaker, for which an exceeded deadline is not a failure. */
  readonly waits?: boolean;
}
