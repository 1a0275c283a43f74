import { getHeapStatistics } from 'node:v8';
import { executionQueueNames, type WorkQueueNames } from '@weft/proto/execution-queue';
import { createTokenVerifier } from '@weft/service-kit/auth';
import { Unauthorized } from '@weft/service-kit/errors';
import { startGrpcServer, withWaitingPort } from '@weft/service-kit/grpc';
import type { RunningService } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import { closeNats, connectionOptions, connectNats } from '@weft/service-kit/nats';
import type { Config } from './config';
import { createHeavyOwners } from './domain/heavy-owners';
import type { FreeSlots } from './domain/slots';
import { createExecutor } from './executor';
import { createQuarantinedVersions } from './domain/quarantined-versions';
import { createHeavyProcess } from './heavy/heavy-process';
import { bindProbes } from './handlers/probes';
import { createIsolation } from './isolation/isolation';
import { announceCrowded, announceHeavy, subscribeToHeavy, subscribeToQuarantine } from './messaging/hints';
import { subscribeToOffers, subscribeToStopped, pullWork, type WorkPuller } from './messaging/pull-work';

const MIB = 1024 * 1024;
/** Part of the slots whose runs may wait for another process to take them over. */
const WAITING_PART = 8;

/** Wires a runner: pulls ids off NATS, claims, runs, reports; over gRPC it tries out credentials, besides health. */
export const createServer = async (config: Config, logger: Logger): Promise<RunningService> => {
  // Before anything is opened: settings that cannot be used end the start.
  connectionOptions(config);
  const names = executionQueueNames(config.natsStream);
  const heavyOwners = createHeavyOwners(
    () => performance.now(),
    (ownerKey) => announceHeavy(nats, names, ownerKey),
  );
  const isolation = createIsolation({ heapMb: config.isolatedMb, logger });
  const maxWaiting = Math.max(1, Math.floor(config.slots / WAITING_PART));
  const heavy = createHeavyProcess({
    heapMb: config.heavyMb === 0 ? Math.floor(getHeapStatistics().heap_size_limit / MIB) : config.heavyMb,
    maxWaiting,
    onLarge: heavyOwners.mark,
    logger,
  });
  const versions = createQuarantinedVersions(() => performance.now());
  const quarantine = createHeavyProcess({
    heapMb: config.isolatedMb,
    maxWaiting,
    onLarge: heavyOwners.mark,
    logger,
    name: 'the process that executes runs in quarantine',
  });
  const executor = createExecutor(config, logger, {
    runAlone: isolation.run,
    quarantine: { versions, run: quarantine.run },
    tellCrowded: (ownerId) => announceCrowded(nats, names, ownerId),
    ...(config.heavyDataMb === 0 ? {} : { heavyOwners, runHeavy: heavy.run }),
  });
  const { queued, slots, slotsForMany } = executor;
  try {
    await executor.ready();
  } catch (error) {
    await Promise.all([executor.close(), isolation.stop(), heavy.stop(), quarantine.stop()]);
    throw error;
  }
  const nats = await withWaitingPort(config, () => connectNats(config, 'weft-runner', logger));
  const pull = (queue: WorkQueueNames, free: FreeSlots): WorkPuller =>
    pullWork(nats, queue, free, executor.hasRoom, queued.take, logger);
  const ordinary = [pull(names, slots), pull(names.overflow, slotsForMany)];
  const isBehind = (): boolean => ordinary.some((puller) => puller.isBehind());
  // Their memory is that of other processes.
  const pullers = [...ordinary, pullWork(nats, names.isolated, isolation.places, () => true, isolation.take, logger)];
  const refuseOffers = subscribeToOffers(nats, names, executor.takeOffers(isBehind));
  subscribeToHeavy(nats, names, heavyOwners.learn);
  subscribeToQuarantine(nats, names, versions.learn);
  subscribeToStopped(nats, names, (ids) => {
    executor.recheck(ids);
    isolation.recheck(ids);
    heavy.recheck(ids);
    quarantine.recheck(ids);
  });
  const server = await startGrpcServer({
    host: config.host,
    port: config.port,
    services: [bindProbes(executor.testPorts)],
    logger,
    reflection: config.reflection,
    authentication: {
      verifyToken: createTokenVerifier('runner', () => config.servicePublicKeys),
      verifyUser: () => Promise.reject(new Unauthorized()),
      trustedCallers: [],
    },
    checkReady: () => Promise.resolve(!nats.isClosed()),
    checkLive: () => executor.isAlive() && pullers.every((puller) => puller.isAlive()),
  });
  server.health.setReady(true);
  return {
    port: server.port,
    stop: async () => {
      server.health.setReady(false);
      refuseOffers();
      executor.stopTaking();
      const children = Promise.all([isolation.stop(), heavy.stop(), quarantine.stop()]);
      await Promise.all(pullers.map((puller) => puller.stop()));
      await executor.drain(config.drainMs);
      await children;
      await server.stop(1_000);
      await closeNats(nats);
      await executor.close();
    },
  };
};
