import { getHeapStatistics } from 'node:v8';
import { createTokenSigner } from '@weft/service-kit/auth';
import { uuidv7 } from '@weft/service-kit/ids';
import { startLoop } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import { createCredentialsClient } from './clients/credentials';
import { createDataTablesClient } from './clients/data-tables';
import { createExecutionsClient } from './clients/executions';
import { createWorkflowsClient } from './clients/workflows';
import type { Config } from './config';
import { PreparedCache } from '@weft/engine';
import { KIND_TABLE } from '@weft/nodes/descriptors';
import { createHeldExecutions } from './domain/held-executions';
import { createMemoryBudget, PARSED_FACTOR } from './domain/memory-budget';
import { createInProcessWaits } from './domain/in-process-waits';
import { createSlots, type Slots } from './domain/slots';
import { createQueuedExecutions, type QueuedExecutions } from './handlers/executions-queued';
import { createHeartbeat } from './jobs/heartbeat';
import { createMailSender, createOutboundClient } from '@weft/outbound';
import { createRunEnvironment } from './run-environment';
import { CodePool, SandboxRegex } from '@weft/sandbox';

/** Versions of workflows cached ready to run, and the part of the heap that their definitions may have as text. */
const VERSIONS_KEPT = 500;
const VERSIONS_PART = 1 / 32;
/** Parts of the heap that one run may hold, and above which nothing more is taken. */
const RUN_PART = 0.5;
const PROCESS_PART = 0.6;
const MIB = 1024 * 1024;
/** Interval at which claims are checked; each is renewed at a third of its lease. */
const HEARTBEAT_MS = 200;
/** After the drain, time for runs that must stop to be released. */
const RELEASE_MS = 5_000;

/** Everything that executes runs in one process, wherever it gets them from. */
export interface Executor {
  readonly queued: QueuedExecutions;
  readonly slots: Slots;
  /** True if there is memory for more. */
  readonly hasRoom: () => boolean;
  /** Asks at once whether the claims on these executions still hold. */
  readonly recheck: (executionIds: readonly string[]) => void;
  /** True if claims are being renewed. */
  readonly isAlive: () => boolean;
  /** Claims nothing any more; runs that only wait can wait elsewhere. */
  readonly stopTaking: () => void;
  /** Lets runs end for so long, then releases them, between nodes or in the middle of one. */
  readonly drain: (ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

const within = (work: Promise<unknown>, ms: number): Promise<unknown> => {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
};

/** Opens the clients of a process, and everything that its nodes work with. */
const openTools = (config: Config, logger: Logger) => {
  const sign = createTokenSigner('runner', config.serviceKey);
  const runnerId = uuidv7();
  // Leases in the store name it: this line says which process that is.
  logger.info({ runnerId }, 'the runner claims executions under this id');
  const executions = createExecutionsClient(config.executionsTarget, sign, runnerId);
  const credentials = createCredentialsClient(config.credentialsTarget, sign);
  const workflows = createWorkflowsClient(config.workflowsTarget, sign);
  const dataTables = createDataTablesClient(config.workflowsTarget, sign);
  const outbound = createOutboundClient({
    allow: config.outboundAllow,
    proxy: config.outboundProxy,
    noProxy: config.outboundNoProxy,
  });
  const code = new CodePool({
    processes: config.sandboxes,
    memoryMb: config.sandboxMb,
    timeoutMs: config.codeTimeoutMs,
  });
  const regexFallback = new SandboxRegex();
  const close = async (): Promise<void> => {
    await code.close();
    await regexFallback.close();
    outbound.close();
    for (const client of [executions, credentials, workflows, dataTables]) client.close();
  };
  return {
    executions,
    credentials,
    workflows,
    dataTables,
    outbound,
    mail: createMailSender(outbound.openSocket),
    code,
    regexFallback,
    close,
  };
};

/** Wires what executes runs. @param runAlone has an execution run where nothing runs beside it */
export const createExecutor = (
  config: Config,
  logger: Logger,
  runAlone: (executionId: string) => Promise<boolean>,
): Executor => {
  const clock = (): number => performance.now();
  const { executions, close, ...tools } = openTools(config, logger);
  const { store } = executions;
  const held = createHeldExecutions(clock);
  const slots = createSlots(config.slots);
  const stopping = new AbortController();
  const inProcessWaits = createInProcessWaits({
    slots,
    most: config.inProcessWaits,
    belowMs: config.waitInProcessMs,
    stopping: stopping.signal,
    now: Date.now,
  });
  let isDraining = false;
  const heapBytes = getHeapStatistics().heap_size_limit;
  const versions = new PreparedCache(VERSIONS_KEPT, heapBytes * VERSIONS_PART, KIND_TABLE);
  const memory = createMemoryBudget({
    runBytes: config.runMemoryMb === 0 ? heapBytes * RUN_PART : config.runMemoryMb * MIB,
    processBytes: config.memoryMb === 0 ? heapBytes * PROCESS_PART : config.memoryMb * MIB,
    heapBytes,
    heapUsed: () => process.memoryUsage().heapUsed,
    others: () => versions.bytes * PARSED_FACTOR,
    clock,
  });
  const environment = createRunEnvironment({
    ...tools,
    store,
    files: executions,
    config,
    clock,
    isDraining: () => isDraining,
    inProcessWaits,
    memory,
  });
  const queued = createQueuedExecutions({
    store,
    held,
    slots,
    versions,
    environment,
    runAlone,
    stopping: stopping.signal,
    logger,
  });
  const heartbeat = startLoop({
    name: 'heartbeat',
    everyMs: HEARTBEAT_MS,
    logger,
    tick: createHeartbeat(store, held, clock, logger),
  });
  return {
    queued,
    slots,
    hasRoom: memory.hasRoom,
    recheck: (executionIds) => {
      if (held.recheck(executionIds)) heartbeat.wake();
    },
    isAlive: heartbeat.isAlive,
    stopTaking: () => stopping.abort(),
    drain: async (ms) => {
      await within(queued.whenIdle(), ms);
      isDraining = true;
      await within(queued.whenIdle(), RELEASE_MS);
      // A run that is still in the middle of a node is ended there: the node runs again elsewhere.
      for (const claim of held.all()) claim.abort('drain');
      await within(queued.whenIdle(), RELEASE_MS);
      await heartbeat.stop();
    },
    close,
  };
};
