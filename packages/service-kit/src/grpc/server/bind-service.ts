import type {
  ServerReadableStream,
  ServerUnaryCall,
  ServerWritableStream,
  sendUnaryData,
  UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { setImmediate } from 'node:timers/promises';
import { TimedOut } from '../../errors';
import type { Logger } from '../../logging';
import type { AccessRule, Authentication } from './access';
import { admissionOf } from './admission';
import { toGrpcStatus } from '../error-status';
import { runHandler } from './run-handler';
import type { CallContext, Handlers, MethodDefinition, ServiceDefinition } from '../types';

/** A service definition with its implementation. */
export interface BoundService {
  readonly definition: ServiceDefinition;
  /** Rules by method path, enforced before a call reaches its handler. */
  readonly rules: ReadonlyMap<string, AccessRule>;
  /** @param authentication for calls tunnelled within a call; other calls are admitted earlier. */
  readonly implement: (logger: Logger, authentication: Authentication) => UntypedServiceImplementation;
  /** Its unary methods by path. */
  readonly unary: ReadonlyMap<string, UnaryMethod>;
  /** True if its calls are neither timed nor counted: they last as long as their callers like, or leave no work. */
  readonly isUntimed?: boolean;
  /** Asks the callers of long calls to end them, because the server is stopping. */
  readonly leave?: () => void;
}

/** A unary method with its handler and access rule. */
export interface UnaryMethod {
  readonly method: MethodDefinition;
  readonly rule: AccessRule;
  readonly handle: (request: unknown, context: CallContext) => Promise<unknown>;
}

/** A handler with erased message types; bivariant, so every handler is assignable. */
interface Erased {
  unary(request: unknown, context: CallContext): Promise<unknown>;
  stream(request: unknown, context: CallContext): AsyncIterable<unknown>;
}
type ErasedHandler = Erased['unary'] | Erased['stream'];

/** Common part of all kinds of calls. */
interface AnyCall extends Pick<
  ServerUnaryCall<unknown, unknown>,
  'metadata' | 'getDeadline' | 'getPeer' | 'cancelled'
> {
  on(event: 'cancelled', listener: () => void): unknown;
}

/** Created only when a handler reads the signal. */
const signalOf = (call: AnyCall): AbortSignal => {
  const controller = new AbortController();
  if (call.cancelled) controller.abort();
  else call.on('cancelled', () => controller.abort());
  return controller.signal;
};

const isAsyncIterable = (value: Promise<unknown> | AsyncIterable<unknown>): value is AsyncIterable<unknown> =>
  Symbol.asyncIterator in value;

/** Resolves when a stream can take more messages, or its caller has left. */
const untilReady = (call: ServerWritableStream<unknown, unknown>): Promise<void> =>
  new Promise((resolve) => {
    const ready = (): void => {
      call.off('drain', ready);
      call.off('cancelled', ready);
      resolve();
    };
    call.on('drain', ready);
    call.on('cancelled', ready);
  });

const writeAll = async (
  call: ServerWritableStream<unknown, unknown>,
  messages: AsyncIterable<unknown>,
): Promise<void> => {
  for await (const message of messages) {
    if (call.cancelled) return;
    if (!call.write(message)) await untilReady(call);
  }
  call.end();
};

const cancelled = (): TimedOut => new TimedOut('The caller cancelled its stream.');

/**
 * The messages of a client stream. A cancelled stream ends like a complete one, or with an error if messages were
 * waiting; its cancellation is known one tick later.
 */
async function* uncancelled(call: ServerReadableStream<unknown, unknown>): AsyncGenerator<unknown> {
  try {
    for await (const message of call) yield message;
  } catch (error) {
    await setImmediate();
    throw call.cancelled ? cancelled() : error;
  }
  await setImmediate();
  if (call.cancelled) throw cancelled();
}

const adapter = (
  method: MethodDefinition,
  handler: ErasedHandler,
  { logger, authentication }: { readonly logger: Logger; readonly authentication: Authentication },
) => {
  const run = (
    call: AnyCall,
    input: unknown,
    answer: (result: Promise<unknown> | AsyncIterable<unknown>) => Promise<void>,
    fail: (status: ReturnType<typeof toGrpcStatus>) => void,
  ): void =>
    runHandler(
      {
        path: method.path,
        admission: admissionOf(call.metadata),
        signal: () => signalOf(call),
        logger,
        authentication,
      },
      (context) => answer(handler(input, context)),
      (error) => fail(toGrpcStatus(error)),
    );
  if (method.responseStream) {
    return (call: ServerWritableStream<unknown, unknown>): void =>
      run(
        call,
        call.request,
        async (result) => {
          if (isAsyncIterable(result)) await writeAll(call, result);
        },
        (status) => call.emit('error', status),
      );
  }
  const single = (call: AnyCall, input: unknown, callback: sendUnaryData<unknown>): void =>
    run(
      call,
      input,
      async (result) => {
        if (!isAsyncIterable(result)) callback(null, await result);
      },
      (status) => callback(status),
    );
  return method.requestStream
    ? (call: ServerReadableStream<unknown, unknown>, callback: sendUnaryData<unknown>): void =>
        single(call, uncancelled(call), callback)
    : (call: ServerUnaryCall<unknown, unknown>, callback: sendUnaryData<unknown>): void =>
        single(call, call.request, callback);
};

/**
 * Binds a generated definition to its handlers and its access table. Every method needs a handler and a rule.
 */
export function bindService<Definition extends ServiceDefinition>(
  definition: Definition,
  handlers: Handlers<Definition>,
  access: Readonly<Record<keyof Definition, AccessRule>>,
): BoundService;
export function bindService(
  definition: ServiceDefinition,
  handlers: Readonly<Record<string, ErasedHandler>>,
  access: Readonly<Record<string, AccessRule>>,
): BoundService {
  const methods = Object.entries(definition);
  return {
    definition,
    rules: new Map(
      methods.flatMap(([name, { path }]): [string, AccessRule][] => {
        const rule = access[name];
        return rule === undefined ? [] : [[path, rule]];
      }),
    ),
    unary: new Map(
      methods.flatMap(([name, method]): [string, UnaryMethod][] => {
        const [rule, handler] = [access[name], handlers[name]];
        if (rule === undefined || handler === undefined || method.requestStream || method.responseStream) return [];
        return [[method.path, { method, rule, handle: async (request, context) => handler(request, context) }]];
      }),
    ),
    implement: (logger, authentication) =>
      Object.fromEntries(
        methods.flatMap(([name, method]) => {
          const handler = handlers[name];
          return handler === undefined || access[name] === undefined
            ? []
            : [[name, adapter(method, handler, { logger, authentication })]];
        }),
      ),
  };
}
