import { Server, ServerCredentials } from '@grpc/grpc-js';
import { HealthService } from '@weft/proto/health';
import { unmetConditions } from '../../lifecycle/conditions';
import { createFaultLog, type Logger } from '../../logging';
import { logRefusedPeers, processTransport, type SecureTransport } from '../../mutual-tls';
import type { Authentication } from './access';
import { createAdmission } from './admission';
import type { BoundService } from './bind-service';
import { SERVER_OPTIONS } from '../client/channel';
import { createHealth, type Health } from './health';
import { addReflection } from './reflection';
import { http2ServersOf, widenServerWindows } from './windows';

/** Options of a gRPC server. */
export interface GrpcServerOptions {
  readonly host: string;
  readonly port: number;
  readonly services: readonly BoundService[];
  readonly authentication: Authentication;
  readonly logger: Logger;
  readonly reflection: boolean;
  /** True if the essential dependencies respond. */
  readonly checkReady: () => Promise<boolean>;
  /** True if the background loops are alive. */
  readonly checkLive: () => boolean;
  /** Mutual TLS. Default: that of the process, if it has certificates. */
  readonly transport?: SecureTransport | undefined;
}

export interface GrpcServer {
  readonly port: number;
  readonly health: Health;
  /** Reports not ready, lets calls in flight finish for up to `drainMs`, then cancels them. */
  readonly stop: (drainMs: number) => Promise<void>;
}

const nameOf = (bound: BoundService): string => Object.values(bound.definition)[0]?.path.split('/')[1] ?? '';

const listen = (server: Server, host: string, port: number, credentials: ServerCredentials): Promise<number> =>
  new Promise((resolve, reject) => {
    server.bindAsync(`${host}:${port}`, credentials, (error, bound) => {
      if (error === null) resolve(bound);
      else
        reject(new Error(`Port ${port} of ${host} cannot be listened on (${error.message}). Set PORT to a free one.`));
    });
  });

const drain = (server: Server, drainMs: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => {
      server.forceShutdown();
      resolve();
    }, drainMs);
    server.tryShutdown(() => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Serves the bound services with health and reflection. @throws Error if the port is taken */
export const startGrpcServer = async (options: GrpcServerOptions): Promise<GrpcServer> => {
  const { authentication, logger, transport = processTransport() } = options;
  const rules = new Map(options.services.flatMap((bound) => [...bound.rules]));
  const untimed = new Set(
    options.services.flatMap(({ isUntimed, rules: own }) => (isUntimed === true ? [...own.keys()] : [])),
  );
  const admission = createAdmission({ rules, untimed, authentication, logger });
  const server = new Server({ ...SERVER_OPTIONS, interceptors: [admission] });
  const names = options.services.map(nameOf);
  const watched = createFaultLog(logger, 'the process is not ready');
  const checkReady = async (): Promise<boolean> => {
    const reasons = unmetConditions();
    if (reasons.length === 0) watched.worked();
    else watched.failed({ reasons });
    return reasons.length === 0 && options.checkReady();
  };
  const health = createHealth(names, checkReady, options.checkLive);
  for (const bound of options.services) server.addService(bound.definition, bound.implement(logger, authentication));
  server.addService(HealthService, health.service);
  if (options.reflection) addReflection(server, [...names, 'grpc.health.v1.Health']);
  const credentials = transport?.server ?? ServerCredentials.createInsecure();
  const port = await listen(server, options.host, options.port, credentials);
  if (transport !== undefined) for (const one of http2ServersOf(server)) logRefusedPeers(one, logger);
  if (!widenServerWindows(server))
    logger.warn('the HTTP/2 windows of the server could not be widened: large requests will be slow over a network');
  return {
    port,
    health,
    stop: async (drainMs) => {
      health.setReady(false);
      for (const { leave } of options.services) leave?.();
      await drain(server, drainMs);
      health.close();
    },
  };
};
