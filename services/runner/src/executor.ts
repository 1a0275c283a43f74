import { getHeapStatistics } from 'node:v8';
import { createTokenSigner } from '@weft/service-kit/auth';
import { startLoop } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import { within } from '@weft/service-kit/time-limit';
import { createAppsClient } from './clients/apps';
import { createCredentialsClient } from './clients/credentials';
import { createDataTablesClient } from './clients/data-tables';
import { createFileAreaClient } from './clients/file-area';
import { createInstanceClient } from './clients/instance';
import { createExecutionsClient, type ExecutionsClient } from './clients/executions';
import type { ProcessExit } from './domain/claims/process-exit';
import { createReplicas } from './clients/replicas';
import { createWorkflowsClient } from './clients/workflows';
import type { Config } from './config';
import { PreparedCache } from '@weft/engine';
import { prepareWithApps } from '@weft/nodes/executors';
import { createHeldExecutions, type HeldExecutions } from './domain/claims/held/held-executions';
import type { RunElsewhere } from './domain/end/hand-over';
import { type ClaimedExecution, ownerKeyOf } from './domain/claims/claimed-execution';
import type { OverShareOwners } from './domain/claims/shares/over-share-owners';
import { createMemoryBudget } from './domain/memory/memory-budget';
import { createInProcessWaits } from './domain/run/in-process-waits';
import { textsFor, type TellFollowers } from './messaging/tell-followers';
import { createFollowedRuns } from './domain/claims/followed-runs';
import { createSaturatingOwners } from './domain/claims/shares/saturating-owners';
import { createSlots, type FreeSlots, type Slots } from './domain/claims/shares/slots';
import { createTakeOffer, type TakeOffer } from './handlers/execution-offers';
import { createQueuedExecutions, type QueuedExecutions } from './handlers/executions-queued';
import { createHeartbeat } from './jobs/heartbeat';
import { createLifeProofs } from './jobs/life-proofs';
import {
  createDatabases,
  createMailCheck,
  createMailSender,
  createOutboundClient,
  createRemoteServers,
} from '@weft/outbound';
import type { TestPorts } from '@weft/nodes/credential-tests';
import type { FindApp } from '@weft/nodes/options';
import { countClaims, countOffered, countOutbound, noteNodeRun, showSlots } from './observing/runner-metrics';
import { logMissingLayer, type RunnerPools } from './pools/open-pools';
import { limitsOfProcess, type RunnerLimits } from './limits';
import { createRunEnvironment } from './run-environment';
import { createOpenThread } from './thread/thread-accounts';
import type { OpenHold } from './watchdog/thread-word';
import { SandboxRegex } from '@weft/sandbox';

/** Share of the heap for cached workflow versions that are ready to run. */
const VERSIONS_PART = 1 / 8;
/** Share of the slots from which an owner counts as having many; such owners leave the same share to others. */
const SLOT_PART = 4;
/** Interval at which claims are checked; each is renewed at a third of its lease. */
const HEARTBEAT_MS = 200;

/** Milliseconds after the last claim until a runner without claims pauses its heartbeats, and the interval then. */
const AWAKE_MS = 10_000;
const ASLEEP_MS = 60_000;
/** After the drain, time for releasing runs that must stop. */
const RELEASE_MS = 5_000;

/** The components that execute runs in one process, wherever the runs come from. */
export interface Executor {
  readonly queued: QueuedExecutions;
  /** The egress routes for tests of credentials and for notifications: those of nodes. */
  readonly testPorts: TestPorts;
  /** Finds the user-defined app with a kind. */
  readonly findApp: FindApp;
  /** The handler of offers. @param isBehind whether the queue exceeds the capacity of this process */
  readonly takeOffers: (isBehind: () => boolean) => TakeOffer;
  readonly slots: Slots;
  /** Slots for executions of owners with many: they leave a share to other owners. */
  readonly slotsForMany: FreeSlots;
  /** Whether there is memory for more. */
  readonly hasRoom: () => boolean;
  /** Asks at once whether the claims on these executions are still valid. */
  readonly recheck: (executionIds: readonly string[]) => void;
  /** These executions are followed at a replica of executions. */
  readonly follow: (executionIds: readonly string[]) => void;
  /** Reports the exit of processes of this runner. */
  readonly endRunner: (exit: ProcessExit) => Promise<void>;
  /** Whether claims are being renewed. */
  readonly isAlive: () => boolean;
  /** Stops claiming; runs that only wait can wait elsewhere. */
  readonly stopTaking: () => void;
  /** Gives runs this time to end, then releases them, also in the middle of a node. */
  readonly drain: (ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Other processes for executing runs, and the criteria for using them. */
export interface Elsewhere extends TellFollowers {
  /** Id of this process in the leases of its claims. */
  readonly runnerId: string;
  /** Executes a run in isolation. */
  readonly runIsolated: (executionId: string) => Promise<boolean>;
  /** Receives owners with large data; absent: none are tracked. */
  readonly overShareOwners?: OverShareOwners;
  /** True: runs arrive with large data. */
  readonly expectsLarge?: boolean;
  /** Takes over a run of an owner with large data; absent: all run here. */
  readonly runOverShare?: RunElsewhere;
  /** The process for runs that may end their process, and which those are; absent: all run here. */
  readonly quarantine?: { readonly isApart: (claimed: ClaimedExecution) => boolean; readonly run: RunElsewhere };
  /** Publishes which run has the thread; absent: no watchdog looks at this process. */
  readonly openHold?: OpenHold;
  /** Reports an owner with many executions while nearly all slots are used; absent: never. */
  readonly tellSaturating?: (ownerId: string) => void;
}

/** Opens the clients of a process and the dependencies of its nodes. */
const openTools = (config: Config, logger: Logger, runnerId: string, onBroken: () => void) => {
  const sign = createTokenSigner('runner', () => config.serviceKey);
  // Leases in the store contain this id: the log line relates it to the process.
  logger.info({ runnerId, pid: process.pid }, 'the runner claims executions under this id');
  // Offered executions are claimed at the replica that holds them: its client counts as well.
  const openExecutions = (target: string): ExecutionsClient => {
    const client = createExecutionsClient(target, sign, { runnerId, onBroken }, config.executionsTarget);
    return {
      ...client,
      store: { ...client.store, claim: countClaims(client.store.claim) },
      claimOffered: countOffered(client.claimOffered),
    };
  };
  const executions = openExecutions(config.executionsTarget);
  const credentials = createCredentialsClient(config.credentialsTarget, sign);
  const workflows = createWorkflowsClient(config.workflowsTarget, sign);
  const apps = createAppsClient(config.workflowsTarget, sign);
  const dataTables = createDataTablesClient(config.workflowsTarget, sign);
  const fileArea = createFileAreaClient(config.workflowsTarget, sign);
  const instance = createInstanceClient(config, sign, credentials.issueRunToken);
  const outbound = createOutboundClient({
    allow: config.outboundAllow,
    proxy: config.outboundProxy,
    proxyResolves: config.outboundProxyResolves,
    noProxy: config.outboundNoProxy,
  });
  const regexFallback = new SandboxRegex(logMissingLayer(logger));
  const replicas = createReplicas(config.executionsTarget, openExecutions, () => performance.now());
  const close = async (): Promise<void> => {
    await regexFallback.close();
    outbound.close();
    for (const client of [executions, replicas, credentials, workflows, apps, dataTables, fileArea, instance])
      client.close();
  };
  return {
    executions,
    replicas,
    credentials,
    workflows,
    apps,
    dataTables,
    fileArea,
    instance,
    outbound,
    mail: createMailSender(outbound.openSocket),
    checkMail: createMailCheck(outbound.openSocket),
    databases: createDatabases(outbound.openSocket),
    remote: createRemoteServers(outbound.openSocket),
    regexFallback,
    close,
  };
};

/**
 * Wires the components that execute runs.
 * @param pools where code runs and untrusted data is read; closed by the caller
 * @param given limits that replace those of the process
 */
export const createExecutor = (
  config: Config,
  logger: Logger,
  pools: RunnerPools,
  {
    runnerId,
    runIsolated,
    overShareOwners,
    runOverShare,
    quarantine,
    tellSaturating,
    tellProgressed,
    tellStreamed,
    openHold,
    expectsLarge = false,
  }: Elsewhere,
  given: Partial<RunnerLimits> = {},
): Executor => {
  const limits = { ...limitsOfProcess(), ...given };
  const clock = (): number => performance.now();
  const { executions, replicas, apps, close, ...tools } = openTools(config, logger, runnerId, () => proofs.begin());
  const { store } = executions;
  let [heldAt, isAsleep] = [clock(), false];
  const claims = createHeldExecutions(clock, {
    onUrgent: () => heartbeat.wake(),
    onAccepted: (executionId) => followed.accepted(executionId),
  });
  const followed = createFollowedRuns({
    held: claims,
    publish: tellProgressed,
    beat: () => beatFollowed(),
    clock,
  });
  const texts = textsFor(followed, { tellStreamed }, clock);
  const held: HeldExecutions = {
    ...claims,
    hold: (...args) => {
      heldAt = clock();
      if (isAsleep) heartbeat.wake();
      isAsleep = false;
      return claims.hold(...args);
    },
  };
  const slots = createSlots(config.slots);
  const part = Math.floor(config.slots / SLOT_PART);
  const saturating = createSaturatingOwners({
    most: tellSaturating === undefined ? 0 : part,
    isFull: () => slots.free() < part,
    tell: (ownerId) => tellSaturating?.(ownerId),
    clock,
  });
  const stopping = new AbortController();
  const inProcessWaits = createInProcessWaits({
    slots,
    most: limits.inProcessWaits,
    belowMs: config.waitInProcessMs,
    stopping: stopping.signal,
    now: Date.now,
    clock,
  });
  const hideSlots = showSlots(config.slots, slots.free, inProcessWaits.sleeping);
  let isDraining = false;
  const heapBytes = getHeapStatistics().heap_size_limit;
  const versions = new PreparedCache(heapBytes * VERSIONS_PART, prepareWithApps);
  const memory = createMemoryBudget({
    runBytes: limits.runBytes,
    processBytes: limits.processBytes,
    heapBytes,
    // Not process.memoryUsage, which also reads a system file.
    heapUsed: () => getHeapStatistics().used_heap_size,
    others: () => versions.bytes,
    clock,
    largeBytes: limits.largeBytes,
    expectsLarge,
    ...(overShareOwners === undefined ? {} : { overShareOwners }),
  });
  const environment = createRunEnvironment({
    ...tools,
    outbound: countOutbound(tools.outbound),
    texts,
    sandboxes: pools.code,
    formats: pools.formats,
    onNodeRun: noteNodeRun,
    store,
    files: executions,
    config,
    clock,
    isDraining: () => isDraining,
    inProcessWaits,
    memory,
    releaseAfterMs: limits.releaseAfterMs,
    openThread: createOpenThread({
      clock,
      ...(overShareOwners === undefined ? {} : { overShareOwners }),
      ...(openHold === undefined ? {} : { openHold }),
    }),
  });
  const queued = createQueuedExecutions({
    store,
    held,
    slots,
    versions,
    environment,
    saturating,
    runIsolated,
    elsewhere: (claimed) => {
      if (quarantine?.isApart(claimed) === true) return quarantine.run;
      return overShareOwners?.has(ownerKeyOf(claimed)) === true ? runOverShare : undefined;
    },
    stopping: stopping.signal,
    logger,
  });
  const { beat, beatFollowed, whenIdle } = createHeartbeat(store, held, clock, logger, followed);
  const proofs = createLifeProofs(() => recheck(held.all().map(({ executionId }) => executionId)));
  const recheck = (executionIds: readonly string[]): void => {
    if (held.recheck(executionIds)) heartbeat.wake();
  };
  const tick = async (): Promise<void> => {
    beat();
    saturating.tick();
  };
  const heartbeat = startLoop({
    name: 'heartbeat',
    everyMs: HEARTBEAT_MS,
    pauseMs: () => {
      isAsleep = held.all().length === 0 && clock() - heldAt > AWAKE_MS;
      return isAsleep ? ASLEEP_MS : HEARTBEAT_MS;
    },
    logger,
    tick,
  });
  const { checkMail, databases, remote } = tools;
  return {
    queued,
    testPorts: { http: countOutbound(tools.outbound), checkMail, databases, remote },
    findApp: apps.findApp,
    takeOffers: (isBehind) =>
      createTakeOffer({
        replicas,
        slots,
        slotCount: config.slots,
        hasRoom: memory.hasRoom,
        isBehind,
        queued,
        stopping: stopping.signal,
        clock,
      }),
    slots,
    slotsForMany: slots.leaving(part),
    hasRoom: memory.hasRoom,
    recheck,
    follow: followed.learn,
    isAlive: heartbeat.isAlive,
    stopTaking: () => stopping.abort(),
    drain: async (ms) => {
      await within(queued.whenIdle(), ms);
      isDraining = true;
      await within(queued.whenIdle(), RELEASE_MS);
      // A run in the middle of a node is stopped: the node runs again elsewhere.
      for (const claim of held.all()) claim.abort('drain');
      await within(queued.whenIdle(), RELEASE_MS);
      await heartbeat.stop();
      followed.stop();
      await whenIdle();
    },
    endRunner: executions.endRunner,
    close: () => {
      hideSlots();
      proofs.stop();
      return close();
    },
  };
};
