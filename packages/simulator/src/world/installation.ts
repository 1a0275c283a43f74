import type * as threadTurns from '@weft/service-kit/thread-turns';
import { installGlobals, REPLACED } from '../time/install';
import { currentProcess } from '../time/simulated-process';
import { loadDependency, loadModule, replaceBuiltIn, replaceExports } from './modules';
import { simulation } from './simulation';

/** The parts of a runner's plan of memory that decide how many processes it has. */
const MEMORY_PLAN = { overShareMb: 256, isolatedMb: 128, isolated: 2, formatsMb: 128, parts: [], totalMb: 0 };

/** Pause between attempts to reach the broker. */
const RECONNECT_MS = 500;

const noCode = {
  code: { of: () => ({ run: () => Promise.resolve({ kind: 'stopped', reason: 'start', console: [] }) }) },
  formats: { of: () => ({ run: () => Promise.resolve({ kind: 'stopped', reason: 'start' }) }) },
};

/** Pools that start no process: Code nodes and parsers are not part of the simulation. */
export const noPools = () => ({ ...noCode, ready: () => Promise.resolve(), close: () => Promise.resolve() });

/**
 * Replaces what leaves the process: time, randomness, sockets, child processes. Everything else is the real code. To be
 * called before any of it is loaded.
 */
export const installPlatform = (): void => {
  installGlobals();
  for (const name of ['node:timers', 'node:timers/promises', 'node:crypto'] as const)
    replaceBuiltIn(name, REPLACED[name]);
  const kit = 'packages/service-kit';
  replaceExports(kit, 'ids/uuidv7', REPLACED.ids);
  replaceThreadTurns();
  replaceExports(kit, 'grpc/client/client', {
    createCaller: (...parameters: Parameters<ReturnType<typeof simulation>['calls']['createCaller']>) =>
      simulation().calls.createCaller(...parameters),
  });
  replaceExports(kit, 'grpc/server/bind-service', {
    bindService: (definition: object, handlers: object) => ({
      definition,
      handlers,
      rules: new Map(),
      unary: new Map(),
    }),
  });
  replaceExports(kit, 'grpc/server/tunnel-service', {
    bindCallStreams: (_services: unknown, _rule: unknown, onLost: (processId: string) => void) => ({
      definition: {},
      handlers: {},
      rules: new Map(),
      unary: new Map(),
      onLost,
    }),
  });
  replaceExports(kit, 'grpc/server/server', {
    startGrpcServer: (...parameters: Parameters<ReturnType<typeof simulation>['startServer']>) =>
      simulation().startServer(...parameters),
  });
  replaceExports(kit, 'auth/service-token', {
    createTokenSigner: () => () => '',
    createTokenVerifier: () => () => Promise.reject(new Error('Nothing checks tokens here.')),
  });
  replaceExports(kit, 'mongo/connect', { connectDatabase: () => simulation().connectDatabase() });
  replaceExports(kit, 'mongo/measure-store', { startMeasuringStore: () => ({ stop: () => Promise.resolve() }) });
  replaceExports(kit, 'shared-settings/compare-settings', {
    compareSettings: () => ({ isReady: () => true, stop: () => undefined }),
  });
  replaceBroker(kit);
  replaceExports('packages/outbound', 'http/outbound-client', {
    createOutboundClient: () => simulation().target.openClient(),
  });
  replaceRunner();
};

/** Each process has its own thread: turns that a killed process has not taken hold no other process back. */
const replaceThreadTurns = (): void => {
  const { ThreadTurns } = loadModule<typeof threadTurns>('packages/service-kit', 'thread-turns/thread-turns');
  const ofNoProcess = {};
  const turnsOf = new WeakMap<object, InstanceType<typeof ThreadTurns>>();
  const take = (ownerKey: string, workflowId: string): Promise<void> => {
    const owner = currentProcess() ?? ofNoProcess;
    const turns = turnsOf.get(owner) ?? new ThreadTurns();
    turnsOf.set(owner, turns);
    return turns.take(ownerKey, workflowId);
  };
  replaceExports('packages/service-kit', 'thread-turns/thread-turns', { THREAD_TURNS: { take } });
};

const replaceBroker = (kit: string): void => {
  type Broker = ReturnType<typeof simulation>['broker'];
  replaceInboxes();
  replaceExports(kit, 'nats/connect', {
    connectNats: async (_settings: unknown, _name: string, _logger: unknown, waits = true) => {
      const { broker } = simulation();
      while (!broker.isUp) {
        if (!waits) throw new Error('NATS is unavailable.');
        await new Promise((resolve) => void setTimeout(resolve, RECONNECT_MS));
      }
      return broker.connect();
    },
    closeNats: () => Promise.resolve(),
    isConnected: () => simulation().broker.isUp,
  });
  replaceExports(kit, 'nats/connection-watch', {
    onReconnected: (_connection: unknown, callback: () => void) => simulation().broker.onReconnected(callback),
  });
  replaceExports(kit, 'nats/pull-queue', {
    openPulls: (_connection: unknown, ...rest: Parameters<Broker['openPulls']>) =>
      simulation().broker.openPulls(...rest),
  });
  replaceExports(kit, 'nats/work-queue', {
    ensureWorkQueue: async (_connection: unknown, ...rest: Parameters<Broker['ensure']>) =>
      simulation().broker.ensure(...rest),
    alignWorkQueue: () => Promise.resolve({ changed: [], unchanged: [] }),
    publishToQueue: (_connection: unknown, ...rest: Parameters<Broker['publishToQueue']>) =>
      simulation().broker.publishToQueue(...rest),
    oldestWaiting: async (_connection: unknown, ...rest: Parameters<Broker['oldestWaiting']>) =>
      simulation().broker.oldestWaiting(...rest),
  });
};

/** The client's own ids come from a pool that one simulation would leave to the next. */
const replaceInboxes = (): void => {
  const ids: unknown = loadDependency('packages/service-kit', 'nats/lib/nats-base-client/nuid.js');
  if (typeof ids !== 'object' || ids === null || !('nuid' in ids) || typeof ids.nuid !== 'object')
    throw new Error('The ids of the NATS client are not where they were.');
  Object.assign(ids.nuid ?? {}, { next: () => REPLACED['node:crypto'].randomUUID() });
};

const replaceRunner = (): void => {
  type Children = ReturnType<typeof simulation>['children'];
  replaceExports('services/runner', 'memory/this-machine', { planThisRunner: () => MEMORY_PLAN });
  replaceExports('services/runner', 'pools/pools-of-runner', { poolsOfRunner: noPools });
  replaceExports('services/runner', 'pools/serve-pools', { servePools: () => undefined });
  replaceExports('services/runner', 'child/child-process', {
    createChildProcess: (...parameters: Parameters<Children['createChildProcess']>) =>
      simulation().children.createChildProcess(...parameters),
  });
  const runnerIds = {
    createRunnerId: (port: number) => simulation().children.createRunnerId(port),
    idOfThisChild: () => simulation().children.idOfThisChild(),
  };
  replaceExports('services/runner', 'runner-id', runnerIds);
};
