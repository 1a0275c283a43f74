import type { ServerWritableStream, ServerUnaryCall, sendUnaryData } from '@grpc/grpc-js';
import { status as GrpcCode } from '@grpc/grpc-js';
import {
  HealthCheckResponse_ServingStatus as Serving,
  type HealthCheckRequest,
  type HealthCheckResponse,
  type HealthServer,
} from '@weft/proto/health';
import { showReady } from '../metrics';

/** Probes of a process: liveness, readiness. */
export interface Health {
  /** Turned on when the process can serve, off before it drains. */
  readonly setReady: (isReady: boolean) => void;
  readonly isReady: () => Promise<boolean>;
  readonly isLive: () => boolean;
  readonly service: HealthServer;
  /** Shows the readiness in the metrics no more. */
  readonly close: () => void;
}

const WATCH_MS = 1_000;

/**
 * The standard health service with the names ``, `readiness`, `liveness` and one for each gRPC service.
 * @param checkReady looks at the own store and broker, never at a peer.
 * @param checkLive whether the process's loops still turn.
 */
export const createHealth = (
  serviceNames: readonly string[],
  checkReady: () => Promise<boolean>,
  checkLive: () => boolean,
): Health => {
  let ready = false;
  const hideDrain = showReady('drain', () => ready);
  const isReady = async (): Promise<boolean> => ready && (await checkReady().catch(() => false));
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
  const watch = (call: ServerWritableStream<HealthCheckRequest, HealthCheckResponse>): void => {
    let last: number | undefined;
    const send = async (): Promise<void> => {
      const { status } = (await statusOf(call.request.service)) ?? { status: Serving.SERVICE_UNKNOWN };
      if (status !== last) call.write({ status });
      last = status;
    };
    void send();
    const timer = setInterval(() => void send(), WATCH_MS);
    call.on('cancelled', () => clearInterval(timer));
    call.on('close', () => clearInterval(timer));
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
