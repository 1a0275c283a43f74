import type { Duplex } from 'node:stream';
import { executionQueueNames, type WorkQueueNames } from '@weft/proto/execution-queue';
import { createTokenSigner, createTokenVerifier } from '@weft/service-kit/auth';
import { Unauthorized } from '@weft/service-kit/errors';
import { startGrpcServer } from '@weft/service-kit/grpc';
import type { RunningService } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import { closeNats, connectionOptions, connectNats } from '@weft/service-kit/nats';
import { compareSettings, sharedSettingsOf } from '@weft/service-kit/shared-settings';
import { table, type Config } from './config';
import { createBlamedRuns } from './domain/claims/shares/blamed-runs';
import { createOverShareOwners } from './domain/claims/shares/over-share-owners';
import type { FreeSlots } from './domain/claims/shares/slots';
import { createExecutor, type Elsewhere } from './executor';
import { createExitReports } from './jobs/exit-reports';
import { createChildId, createRunnerId } from './runner-id';
import { createQuarantinedVersions } from './domain/claims/shares/quarantined-versions';
import { createOverShareProcess } from './over-share/over-share-process';
import { bindNotifications } from './handlers/notifications';
import { bindProbes } from './handlers/probes';
import { createIsolation } from './isolation/isolation';
import type { RunnerLimits } from './limits';
import { planThisRunner } from './memory/this-machine';
import { openPools as openPoolsOnUse, type OpenPools, type PoolSettings } from './pools/open-pools';
import { servePools } from './pools/serve-pools';
import type { EndedTurn } from './watchdog/ended-turn';
import type { Predecessor } from './watchdog/predecessor';
import type { ProcessName } from './watchdog/process-name';
import type { Watchdog } from './watchdog/watchdog';
import { createWatchdogEnds } from './watchdog/watchdog-ends';
import {
  announceOverShare,
  announceProgressed,
  sendStreamed,
  announceSaturating,
  subscribeToFollowed,
  subscribeToOverShare,
  subscribeToQuarantine,
  subscribeToStopped,
} from './messaging/hints';
import { subscribeToOffers, pullWork, type WorkPuller } from './messaging/pull-work';

/** Share of the slots whose runs may wait for another process to take them over. */
const WAITING_PART = 8;

/** Parts of a runner that tests replace, or that only a process of its own has. */
export interface RunnerOptions {
  /** Limits that a test can reach. */
  readonly limits?: Partial<RunnerLimits>;
  /** Pools that start no process. */
  readonly openPools?: (settings: PoolSettings, logger: Logger) => OpenPools;
  /** The watchdog of this process; absent: none looks at it. */
  readonly watchdog?: Watchdog;
  /** The program of this process that a watchdog replaced by this one. */
  readonly predecessor?: Predecessor;
}

/** Monotonic milliseconds that all programs of this machine share. */
const machineMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

/**
 * Wires a runner: pulls ids off NATS, claims, runs, reports; over gRPC it tests credentials, sends
 * notifications and serves health checks.
 */
export const createServer = async (
  config: Config,
  logger: Logger,
  { limits, openPools = openPoolsOnUse, watchdog, predecessor }: RunnerOptions = {},
): Promise<RunningService> => {
  // Before anything is opened: invalid settings abort the start.
  connectionOptions(config);
  const names = executionQueueNames(config.natsStream);
  const overShareOwners = createOverShareOwners(
    () => performance.now(),
    (ownerKey) => announceOverShare(nats, names, ownerKey),
  );
  const memory = planThisRunner(config, logger);
  const { sandboxes, sandboxMb, codeTimeoutMs } = config;
  const pools = openPools({ sandboxes, sandboxMb, codeTimeoutMs, formatsMb: memory.formatsMb }, logger);
  const tellProgressed = (executionIds: readonly string[]): void => announceProgressed(nats, names, executionIds);
  const tellStreamed = (executionId: string, batch: Uint8Array): void => sendStreamed(nats, names, executionId, batch);
  const runnerId = createRunnerId(config.port);
  const forChildren = {
    logger,
    tellProgressed,
    tellStreamed,
    servePools: (pipe: Duplex): void => servePools(pools, pipe),
    createId: () => createChildId(runnerId),
  };
  const versions = createQuarantinedVersions(() => performance.now());
  const blamed = createBlamedRuns(machineMs, predecessor?.blamed);
  const watchdogEnds = createWatchdogEnds({
    blamed,
    logger,
    ...(predecessor === undefined ? {} : { predecessor }),
    passOn: (value) => watchdog?.passOn(value),
  });
  const onDied =
    (process: ProcessName) =>
    (endedRunnerId: string, turn?: EndedTurn): void =>
      reports.report({ endedRunnerId, ...(turn === undefined ? {} : watchdogEnds.ended(process, turn)) });
  const isolation = createIsolation({
    heapMb: memory.isolatedMb,
    processes: memory.isolated,
    ...forChildren,
    onDied: onDied('isolated'),
  });
  const maxWaiting = Math.max(1, Math.floor(config.slots / WAITING_PART));
  const overShare = createOverShareProcess({
    heapMb: memory.overShareMb,
    maxWaiting,
    onLarge: overShareOwners.mark,
    ...forChildren,
    onDied: onDied('large_data'),
  });
  const quarantine = createOverShareProcess({
    heapMb: memory.isolatedMb,
    maxWaiting,
    onLarge: overShareOwners.mark,
    ...forChildren,
    onDied: onDied('quarantined'),
    name: 'the process for quarantined runs',
  });
  const elsewhere: Elsewhere = {
    runnerId,
    runIsolated: isolation.run,
    quarantine: {
      isApart: (claimed) => versions.has(claimed.versionId) || blamed.isApart(claimed),
      run: quarantine.run,
    },
    ...(watchdog === undefined ? {} : { openHold: watchdog.openHold }),
    tellSaturating: (ownerId) => announceSaturating(nats, names, ownerId),
    tellProgressed,
    tellStreamed,
    overShareOwners,
    runOverShare: overShare.run,
  };
  const executor = createExecutor(config, logger, pools, elsewhere, limits);
  const { queued, slots, slotsForMany } = executor;
  const reports = createExitReports(executor.endRunner, logger);
  // This program has the place of the one before it, whose runs wait.
  if (predecessor !== undefined) reports.report(watchdogEnds.ended('runner', predecessor.ended));
  // Code that a successor runs before they are ready waits for them; other runs must not.
  if (predecessor === undefined) await pools.ready();
  const nats = await connectNats(config, 'weft-runner', logger);
  const pull = (queue: WorkQueueNames, free: FreeSlots): WorkPuller =>
    pullWork(nats, queue, free, executor.hasRoom, queued.take, logger);
  const ordinary = [pull(names, slots), pull(names.overflow, slotsForMany)];
  const isBehind = (): boolean => ordinary.some((puller) => puller.isBehind());
  // Their memory belongs to other processes.
  const pullers = [...ordinary, pullWork(nats, names.isolated, isolation.places, () => true, isolation.take, logger)];
  const refuseOffers = subscribeToOffers(nats, names, executor.takeOffers(isBehind));
  subscribeToOverShare(nats, names, overShareOwners.learn);
  subscribeToQuarantine(nats, names, versions.learn);
  const processes = [executor, isolation, overShare, quarantine];
  subscribeToStopped(nats, names, (ids) => processes.forEach((one) => one.recheck(ids)));
  subscribeToFollowed(nats, names, (ids) => processes.forEach((one) => one.follow(ids)));
  const comparison = compareSettings({
    service: 'runner',
    settings: sharedSettingsOf(table, config),
    peers: { executions: config.executionsTarget, workflows: config.workflowsTarget },
    sign: createTokenSigner('runner', () => config.serviceKey),
    logger,
  });
  const server = await startGrpcServer({
    host: config.host,
    port: config.port,
    services: [
      bindProbes({ ...executor.testPorts, findApp: executor.findApp }),
      bindNotifications(executor.testPorts.http),
    ],
    logger,
    reflection: config.reflection,
    authentication: {
      verifyToken: createTokenVerifier('runner', () => config.servicePublicKeys),
      verifyUser: () => Promise.reject(new Unauthorized()),
      trustedCallers: [],
    },
    checkReady: () => Promise.resolve(!nats.isClosed() && comparison.isReady()),
    checkLive: () => executor.isAlive() && pullers.every((puller) => puller.isAlive()),
  });
  // The port is bound: no earlier process has it any more.
  if (config.port !== 0) reports.report({});
  server.health.setReady(true);
  if (predecessor !== undefined) void pools.ready();
  return {
    port: server.port,
    health: server.health,
    stop: async () => {
      server.health.setReady(false);
      reports.stop();
      comparison.stop();
      refuseOffers();
      executor.stopTaking();
      const children = Promise.all([isolation.stop(), overShare.stop(), quarantine.stop()]);
      await Promise.all(pullers.map((puller) => puller.stop()));
      await executor.drain(config.drainMs);
      await children;
      await server.stop(1_000);
      await closeNats(nats);
      await executor.close();
      await pools.close();
    },
  };
};
