import {
  Metadata,
  status as GrpcCode,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { withContext } from '../context';
import { TimedOut, toServiceError, type ServiceError } from '../errors';
import type { Logger } from '../logging';
import { authenticate, authorise, type AccessRule, type Authentication } from './access';
import { toGrpcStatus } from './error-status';
import { timeServed } from './metrics';
import type { CallContext, Handlers, MethodDefinition, ServiceDefinition } from './types';

/** Deadline of callers without one, in milliseconds. */
const DEFAULT_DEADLINE_MS = 30_000;

/** A service definition with its implementation. */
export interface BoundService {
  readonly definition: ServiceDefinition;
  readonly implement: (authentication: Authentication, logger: Logger) => UntypedServiceImplementation;
}

/** A handler with erased message types; bivariant, so that every handler is assignable. */
interface Erased {
  unary(request: unknown, context: CallContext): Promise<unknown>;
  stream(request: unknown, context: CallContext): AsyncIterable<unknown>;
}
type ErasedHandler = Erased['unary'] | Erased['stream'];

/** Common part of all kinds of calls. */
interface AnyCall extends Pick<ServerUnaryCall<unknown, unknown>, 'metadata' | 'getDeadline' | 'cancelled'> {
  on(event: 'cancelled', listener: () => void): unknown;
}

const requestIdOf = (call: AnyCall): string => {
  const given = call.metadata.get('x-request-id')[0];
  return typeof given === 'string' && /^[\w.-]{1,100}$/.test(given) ? given : randomUUID();
};

const deadlineOf = (call: AnyCall): number => {
  const given = Number(call.getDeadline());
  return Number.isFinite(given) ? given : Date.now() + DEFAULT_DEADLINE_MS;
};

/** Created only when a handler reads the signal. */
const signalOf = (call: AnyCall): AbortSignal => {
  const controller = new AbortController();
  if (call.cancelled) controller.abort();
  else call.on('cancelled', () => controller.abort());
  return controller.signal;
};

const report = (logger: Logger, path: string, error: ServiceError): void => {
  const isInternal = error.kind === 'internal';
  logger[isInternal ? 'error' : 'debug'](
    { method: path, reason: error.reason, err: isInternal ? (error.cause ?? error) : undefined },
    'call failed',
  );
};

const isAsyncIterable = (value: Promise<unknown> | AsyncIterable<unknown>): value is AsyncIterable<unknown> =>
  Symbol.asyncIterator in value;

const writeAll = async (
  call: ServerWritableStream<unknown, unknown>,
  messages: AsyncIterable<unknown>,
): Promise<void> => {
  for await (const message of messages) {
    if (call.cancelled) return;
    if (!call.write(message))
      await new Promise<void>((ready) => call.once('drain', () => ready()).once('cancelled', () => ready()));
  }
  call.end();
};

/**
 * The messages of a client stream. A cancelled stream ends like a complete one; its cancellation is known one tick
 * later.
 */
async function* uncancelled(call: ServerReadableStream<unknown, unknown>): AsyncGenerator<unknown> {
  for await (const message of call) yield message;
  await setImmediate();
  if (call.cancelled) throw new TimedOut('The caller cancelled its stream.');
}

const adapter = (
  method: MethodDefinition,
  handler: ErasedHandler,
  rule: AccessRule,
  authentication: Authentication,
  logger: Logger,
) => {
  const startTiming = timeServed(method.path);
  const run = (
    call: AnyCall,
    input: unknown,
    answer: (result: Promise<unknown> | AsyncIterable<unknown>) => Promise<void>,
    fail: (error: ServiceError) => void,
  ): void => {
    const requestId = requestIdOf(call);
    const served = startTiming();
    withContext({ requestId, deadline: deadlineOf(call) }, () => {
      const work = async (): Promise<void> => {
        const identity = await authenticate(call.metadata, authentication);
        authorise(identity, rule);
        await answer(
          handler(input, {
            requestId,
            ...identity,
            get signal() {
              return signalOf(call);
            },
          }),
        );
        served(GrpcCode.OK);
      };
      work().catch((error: unknown) => {
        const known = toServiceError(error);
        report(logger, method.path, known);
        served(toGrpcStatus(known).code ?? GrpcCode.UNKNOWN);
        fail(known);
      });
    });
  };
  if (method.responseStream) {
    return (call: ServerWritableStream<unknown, unknown>): void =>
      run(
        call,
        call.request,
        async (result) => {
          if (isAsyncIterable(result)) await writeAll(call, result);
        },
        (error) => call.emit('error', toGrpcStatus(error)),
      );
  }
  const single = (call: AnyCall, input: unknown, callback: sendUnaryData<unknown>): void =>
    run(
      call,
      input,
      async (result) => {
        if (!isAsyncIterable(result)) callback(null, await result);
      },
      (error) => callback({ metadata: new Metadata(), ...toGrpcStatus(error) }),
    );
  return method.requestStream
    ? (call: ServerReadableStream<unknown, unknown>, callback: sendUnaryData<unknown>): void =>
        single(call, uncancelled(call), callback)
    : (call: ServerUnaryCall<unknown, unknown>, callback: sendUnaryData<unknown>): void =>
        single(call, call.request, callback);
};

/**
 * Binds a generated definition to its handlers and its access table. Every method needs a handler and a rule. The only
 * place that converts thrown errors to statuses.
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
  return {
    definition,
    implement: (authentication, logger) =>
      Object.fromEntries(
        Object.entries(definition).flatMap(([name, method]) => {
          const handler = handlers[name];
          const rule = access[name];
          return handler === undefined || rule === undefined
            ? []
            : [[name, adapter(method, handler, rule, authentication, logger)]];
        }),
      ),
  };
}
