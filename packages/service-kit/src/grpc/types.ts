import type { Principal } from '../auth';

/** One method of a generated service definition. */
export interface MethodDefinition {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  // Method notation: the message types of a definition are known to its users, not here.
  requestSerialize(value: unknown): Buffer;
  requestDeserialize(bytes: Buffer): unknown;
  responseSerialize(value: unknown): Buffer;
  responseDeserialize(bytes: Buffer): unknown;
}

/** A generated service definition, for example ExecutionServiceService. */
export type ServiceDefinition = Readonly<Record<string, MethodDefinition>>;

/** What a method takes. */
export type RequestOf<Method extends MethodDefinition> = ReturnType<Method['requestDeserialize']>;

/** What a method answers. */
export type ResponseOf<Method extends MethodDefinition> = ReturnType<Method['responseDeserialize']>;

/** Who calls, and how long the answer is wanted. */
export interface CallContext {
  readonly requestId: string;
  /** Calling service; undefined for an outside caller. */
  readonly service: string | undefined;
  /** The user on whose behalf; undefined when a service calls for itself. */
  readonly principal: Principal | undefined;
  /** Aborted when the caller gave up or the deadline passed. */
  readonly signal: AbortSignal;
}

/** How a method is implemented: messages in, messages out; errors are thrown. */
export type Handler<Method extends MethodDefinition> = Method['requestStream'] extends true
  ? (requests: AsyncIterable<RequestOf<Method>>, context: CallContext) => Promise<ResponseOf<Method>>
  : Method['responseStream'] extends true
    ? (request: RequestOf<Method>, context: CallContext) => AsyncIterable<ResponseOf<Method>>
    : (request: RequestOf<Method>, context: CallContext) => Promise<ResponseOf<Method>>;

/** All methods of a service, each implemented. */
export type Handlers<Definition extends ServiceDefinition> = {
  readonly [Name in keyof Definition]: Handler<Definition[Name]>;
};

/** One method of a client: a promise, or a stream of answers. */
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

/** How one call is made. */
export interface CallOptions {
  /**
   * Most milliseconds to wait; the deadline of the running request counts as well, whichever is sooner. Default: that
   * deadline, or 10,000 in background work.
   */
  readonly deadlineMs?: number;
  /** The user on whose behalf. */
  readonly principal?: Principal | undefined;
  /** The call is meant to wait long: it has a breaker of its own, for which a missed deadline is no failure. */
  readonly waits?: boolean;
}
