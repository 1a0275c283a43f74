import { Client, credentials, status as GrpcCode } from '@grpc/grpc-js';
import type { TokenSigner } from '../../auth';
import { currentContext, unixTimeOf } from '../../context';
import { processTransport, type SecureTransport } from '../../mutual-tls';
import { createGuard, type Guard } from './breaker';
import { createCallStreams } from './call-streams';
import { clientOptions } from './channel';
import { keepDrainingConnections } from '../server/draining-connections';
import { showEndpoints } from '../metrics';
import { peerTrust } from '../peer-trust';
import { asServiceError, isGrpcError, isTokenRefused, metadataOf, prepareCall } from './prepare-call';
import { createQueuedCalls } from './queued-calls';
import { sendUnary, type UnaryConnection } from './send-unary';
import type { CallOptions, Calls, MethodDefinition, ServiceDefinition } from '../types';
import type { Writable } from 'node:stream';

/** Options of a client. */
export interface CallerOptions {
  /** Name of the service called, as in SERVICE_PUBLIC_KEYS: the audience of its tokens. */
  readonly service: string;
  /** gRPC target, for example `dns:///executions:7002` or `ipv4:10.0.0.1:7002,10.0.0.2:7002`. */
  readonly target: string;
  readonly sign: TokenSigner;
  /** Names of methods that are retried when the transport failed. */
  readonly retried?: readonly string[];
  /**
   * Maximum calls in flight; calls above it are refused as unavailable. Default 200, and ten times that for long polls.
   */
  readonly capacity?: number;
  /**
   * True for work that was already accepted: calls bypass the breaker, and calls above `capacity` wait instead of being
   * refused.
   */
  readonly background?: boolean;
  /** True: a separate connection that the traffic of other clients does not delay. */
  readonly ownConnection?: boolean;
  /** Target whose host must be named in the server's certificate, if it is not `target`: the target of one replica. */
  readonly certifiedAs?: string;
  /** Number of streams that tunnel its unary calls, if the service supports them. Default: none. */
  readonly streams?: number;
  /** With streams: id of this process, if the service is to notice its end. */
  readonly processId?: string;
  /** With streams: called when one has broken, so that the service may believe that this process has ended. */
  readonly onBroken?: () => void;
  /** Mutual TLS. Default: that of the process, if it has certificates. */
  readonly transport?: SecureTransport | undefined;
}

/** A client of one service. */
export interface Caller<Definition extends ServiceDefinition> {
  readonly calls: Calls<Definition>;
  readonly close: () => void;
}

interface Connection extends UnaryConnection {
  readonly options: CallerOptions;
  readonly guard: Guard;
  readonly waitingGuard: Guard;
}

/** Maximum waiting background calls. */
const MAX_QUEUED = 10_000;

const unary =
  (connection: Connection, method: MethodDefinition) =>
  async (request: never, call: CallOptions = {}): Promise<unknown> => {
    // A queued call is sent from the context of another call.
    const context = currentContext();
    // Prepared on sending: the deadline starts then, and the token is fresh.
    const attempt = async (isRefused: boolean): Promise<unknown> => {
      const sending = prepareCall(connection.options, method, call, context, isRefused);
      try {
        const response = await sendUnary(connection, method, request, sending);
        sending.ended(GrpcCode.OK);
        peerTrust.accepted(connection.service);
        return response;
      } catch (error) {
        sending.ended(isGrpcError(error) ? error.code : GrpcCode.UNKNOWN);
        throw error;
      }
    };
    const send = async (): Promise<unknown> => {
      try {
        return await attempt(false);
      } catch (error) {
        if (call.token !== undefined || !isTokenRefused(error, connection.service)) throw error;
        return attempt(true);
      }
    };
    try {
      return await (call.waits === true ? connection.waitingGuard : connection.guard)(send);
    } catch (error) {
      throw asServiceError(error, connection.options.service);
    }
  };

const serverStream = (connection: Connection, method: MethodDefinition) =>
  async function* read(request: never, call: CallOptions = {}): AsyncGenerator<unknown> {
    const { headers, deadline, ended } = prepareCall(connection.options, method, call, currentContext());
    let code = GrpcCode.OK;
    const stream = connection.client.makeServerStreamRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      request,
      metadataOf(headers),
      { deadline: unixTimeOf(deadline) },
    );
    const cancel = (): void => stream.cancel();
    call.signal?.addEventListener('abort', cancel);
    if (call.signal?.aborted === true) cancel();
    try {
      for await (const message of stream) yield message;
    } catch (error) {
      code = isGrpcError(error) ? error.code : GrpcCode.UNKNOWN;
      throw asServiceError(error, connection.options.service);
    } finally {
      call.signal?.removeEventListener('abort', cancel);
      ended(code);
      stream.cancel();
    }
  };

/** Resolves when a stream drains or closes. */
const untilDrained = (stream: Pick<Writable, 'on' | 'off'>): Promise<void> =>
  new Promise((resolve) => {
    const drained = (): void => {
      stream.off('drain', drained);
      stream.off('close', drained);
      resolve();
    };
    stream.on('drain', drained);
    stream.on('close', drained);
  });

const clientStream =
  (connection: Connection, method: MethodDefinition) =>
  async (requests: AsyncIterable<never>, call: CallOptions = {}): Promise<unknown> => {
    const { headers, deadline, ended } = prepareCall(connection.options, method, call, currentContext());
    return new Promise((resolve, reject) => {
      const stream = connection.client.makeClientStreamRequest(
        method.path,
        method.requestSerialize,
        method.responseDeserialize,
        metadataOf(headers),
        { deadline: unixTimeOf(deadline) },
        (error, response) => {
          ended(error?.code ?? GrpcCode.OK);
          if (error === null) resolve(response);
          else reject(asServiceError(error, connection.options.service));
        },
      );
      const send = async (): Promise<void> => {
        for await (const message of requests) {
          if (stream.destroyed) return;
          if (!stream.write(message)) await untilDrained(stream);
        }
        stream.end();
      };
      send().catch((error: unknown) => {
        stream.cancel();
        reject(error);
      });
    });
  };

const connect = (definition: ServiceDefinition, options: CallerOptions): Connection => {
  keepDrainingConnections();
  const methods = (options.retried ?? []).flatMap((name) => {
    const [, service = '', method = ''] = definition[name]?.path.split('/') ?? [];
    return [{ service, method }];
  });
  const capacity = options.capacity ?? 200;
  const { service, transport = processTransport() } = options;
  const guardOf = (concurrency: number, countsDeadlines: boolean): Guard =>
    options.background === true
      ? createQueuedCalls({ service, concurrency, maxQueued: MAX_QUEUED })
      : createGuard({ service, capacity: concurrency, countsDeadlines });
  const client = new Client(
    options.target,
    transport?.client ?? credentials.createInsecure(),
    clientOptions(methods, options),
  );
  const { streams: count = 0, sign, processId, onBroken } = options;
  return {
    options,
    client,
    service,
    streams:
      count === 0
        ? undefined
        : createCallStreams({
            client,
            count,
            processId,
            onBroken,
            sign: (path) => sign(options.service, path, undefined, true),
          }),
    retried: new Set(methods.map((one) => `/${one.service}/${one.method}`)),
    guard: guardOf(capacity, true),
    waitingGuard: guardOf(capacity * 10, false),
  };
};

/**
 * Creates a client of a generated service definition. Every call has a deadline, carries the request id and service
 * token, goes through a breaker, and rejects with a ServiceError.
 */
export function createCaller<Definition extends ServiceDefinition>(
  definition: Definition,
  options: CallerOptions,
): Caller<Definition>;
export function createCaller(
  definition: ServiceDefinition,
  options: CallerOptions,
): { calls: Record<string, unknown>; close: () => void } {
  const connection = connect(definition, options);
  const calls = Object.entries(definition).map(([name, method]) => {
    if (method.requestStream) return [name, clientStream(connection, method)];
    return [name, method.responseStream ? serverStream(connection, method) : unary(connection, method)];
  });
  const hideEndpoints = showEndpoints(options.service, connection.client);
  return {
    calls: Object.fromEntries(calls),
    close: () => {
      hideEndpoints();
      connection.streams?.close();
      connection.guard.close();
      connection.waitingGuard.close();
      connection.client.close();
    },
  };
}
