import { executionQueueNames } from '@weft/proto/execution-queue';
import { createTokenVerifier } from '@weft/service-kit/auth';
import { Unauthorized } from '@weft/service-kit/errors';
import { startGrpcServer } from '@weft/service-kit/grpc';
import type { RunningService } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import { closeNats, connectNats } from '@weft/service-kit/nats';
import type { Config } from './config';
import { createExecutor } from './executor';
import { createIsolation } from './isolation/isolation';
import { subscribeToStopped, pullWork } from './messaging/pull-work';

/** Wires a runner: pulls ids off NATS, claims, runs, reports; its only gRPC service is health. */
export const createServer = async (config: Config, logger: Logger): Promise<RunningService> => {
  const isolation = createIsolation({ heapMb: config.isolatedMb, logger });
  const executor = createExecutor(config, logger, isolation.run);
  const { queued, slots } = executor;
  const nats = await connectNats(config.natsUrl, 'weft-runner', logger);
  const names = executionQueueNames(config.natsStream);
  const puller = pullWork(nats, names, slots, executor.hasRoom, queued.take, logger);
  subscribeToStopped(nats, names, (ids) => {
    executor.recheck(ids);
    isolation.recheck(ids);
  });
  const server = await startGrpcServer({
    host: config.host,
    port: config.port,
    services: [],
    logger,
    reflection: config.reflection,
    authentication: {
      verifyToken: createTokenVerifier('runner', config.servicePublicKeys),
      verifyUser: () => Promise.reject(new Unauthorized()),
      trustedCallers: [],
    },
    checkReady: () => Promise.resolve(!nats.isClosed()),
    checkLive: () => executor.isAlive() && puller.isAlive(),
  });
  server.health.setReady(true);
  return {
    port: server.port,
    stop: async () => {
      server.health.setReady(false);
      executor.stopTaking();
      const isolated = isolation.stop();
      await puller.stop();
      await executor.drain(config.drainMs);
      await isolated;
      await server.stop(1_000);
      await closeNats(nats);
      await executor.close();
    },
  };
};
