import type { ServerWritableStream, ServerUnaryCall, sendUnaryData } from '@grpc/grpc-js';
import { status as GrpcCode } from '@grpc/grpc-js';
import {
  HealthCheckResponse_ServingStatus as Serving,
  type HealthCheckRequest,
  type HealthCheckResponse,
  type HealthServer,
} from '@weft/proto/health';
import { showReady } from '../../metrics';

/** Liveness and readiness of a process. */
export interface Health {
  /** Set to true when the process can serve, and to false before it drains. */
  readonly setReady: (isReady: boolean) => void;
  readonly isReady: () => Promise<boolean>;
  readonly isLive: () => boolean;
  readonly service: HealthServer;
  /** Removes the readiness from the metrics. */
  readonly close: () => void;
}

const WATCH_MS = 1_000;
/** Milliseconds for which a check of the store is reused: anyone may ask. */
const SHARED_MS = 200;
const MAX_WATCHERS = 1_000;

type Watcher = ServerWritableStream<HealthCheckRequest, HealthCheckResponse>;

/**
 * The standard health service with the names ``, `readiness`, `liveness` and one for each gRPC service.
 * @param checkReady checks this service's store and broker, never a peer
 * @param checkLive true if the process's loops are alive
 */
export const createHealth = (
  serviceNames: readonly string[],
  checkReady: () => Promise<boolean>,
  checkLive: () => boolean,
): Health => {
  let ready = false;
  const hideDrain = showReady('drain', () => ready);
  let checked: { readonly result: Promise<boolean>; readonly until: number } | undefined;
  /** Concurrent calls share one check. */
  const checkShared = (): Promise<boolean> => {
    const now = performance.now();
    if (checked === undefined || checked.until <= now)
      checked = { result: checkReady().catch(() => false), until: now + SHARED_MS };
    return checked.result;
  };
  const isReady = async (): Promise<boolean> => ready && (await checkShared()) && ready;
  const statusOf = async (name: string): Promise<HealthCheckResponse | undefined> => {
    if (name === 'liveness') return { status: checkLive() ? Serving.SERVING : Serving.NOT_SERVING };
    if (name !== '' && name !== 'readiness' && !serviceNames.includes(name)) return undefined;
    return { status: (await isReady()) ? Serving.SERVING : Serving.NOT_SERVING };
  };
  const check = (
    call: ServerUnaryCall<HealthCheckRequest, HealthCheckResponse>,
    callback: sendUnaryData<HealthCheckResponse>,
  ): void => {
    statusOf(call.request.service).then(
      (response) =>
        response === undefined
          ? callback({ code: GrpcCode.NOT_FOUND, details: `No service ${call.request.service}.` })
          : callback(null, response),
      () => callback(null, { status: Serving.NOT_SERVING }),
    );
  };
  const watchers = new Map<Watcher, number | undefined>();
  let timer: NodeJS.Timeout | undefined;
  /** Checks once for all watchers of the same name. */
  const sendChanges = async (): Promise<void> => {
    const names = new Set([...watchers.keys()].map(({ request }) => request.service));
    const asked = [...names].map(async (name) => [name, await statusOf(name)] as const);
    const found = new Map(await Promise.all(asked));
    for (const [call, last] of watchers) {
      if (!found.has(call.request.service)) continue;
      const { status } = found.get(call.request.service) ?? { status: Serving.SERVICE_UNKNOWN };
      if (status !== last) call.write({ status });
      watchers.set(call, status);
    }
  };
  const watch = (call: Watcher): void => {
    if (watchers.size >= MAX_WATCHERS)
      return void call.emit('error', { code: GrpcCode.RESOURCE_EXHAUSTED, details: 'Too many calls of Watch.' });
    watchers.set(call, undefined);
    timer ??= setInterval(() => void sendChanges(), WATCH_MS);
    void sendChanges();
    const end = (): void => {
      watchers.delete(call);
      if (watchers.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
    call.on('cancelled', end);
    call.on('close', end);
  };
  return {
    setReady: (value) => {
      ready = value;
    },
    isReady,
    isLive: checkLive,
    service: { check, watch },
    close: hideDrain,
  };
};
