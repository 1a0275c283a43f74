import { SimulatedBroker } from '../network/broker';
import { SimulatedCalls } from '../network/calls';
import { Endpoints, type SimulatedService } from '../network/endpoints';
import { calm } from '../network/faults';
import { createStoreLink, type StoreWeather } from '../network/store-link';
import { createMemoryServer } from '../store/memory-server';
import { EPOCH, resetIds, useSource } from '../time/install';
import { createRandom } from '../time/random';
import { createScheduler } from '../time/scheduler';
import { createProcess, currentProcess, type SimulatedProcess } from '../time/simulated-process';
import { createLogger } from '@weft/service-kit/logging';
import type { makeTestKeys } from '@weft/service-kit/testing';
import { Children } from './children';
import { connectDatabase } from './connect-database';
import { createMonitor, type Moment } from '../checks/monitor';
import { loadModule } from './modules';
import { credentialsService, workflowsService } from '../workload/peers';
import { childProgram, startExecutions, startRunner, type Started, type Starting } from './processes';
import { type ServerOptions, useSimulation } from './simulation';
import { Target } from '../workload/target';
import { createTrace } from '../checks/trace';
import { createKinds } from '../workload/workflows';

/** Size and times of a simulated installation. */
export interface Sizes {
  readonly replicas: number;
  readonly runners: number;
  readonly slots: number;
  readonly leaseMs: number;
  readonly holdMs: number;
}

/** Maximum milliseconds between a moment and the fault that waited for it. */
const AMBUSH_MS = 4;

/** Milliseconds after broken connections in which a lease may end although its process is alive. */
const EARLY_MS = 15_000;

/** Pause before a process that could not start is started again. */
const RESTART_MS = 2_000;

const PORTS = { executions: 7002, runner: 7004 } as const;

type TestKeysModule = { readonly makeTestKeys: typeof makeTestKeys };

/** Nothing checks tokens in the simulation, but each configuration needs keys. */
const KEYS = loadModule<TestKeysModule>('packages/service-kit', 'testing/keys').makeTestKeys([
  'gateway',
  'workflows',
  'executions',
  'credentials',
  'runner',
]);

const addressOf = (index: number): string => `10.0.0.${index + 1}`;

const addressesOf = (replicas: number): string[] =>
  Array.from({ length: replicas }, (_, index) => `${addressOf(index)}:${PORTS.executions}`);

/** A simulated installation: replicas of executions and runners as real code, and everything around them. */
export const createWorld = (seed: number, sizes: Sizes, keepsTrace: boolean) => {
  const scheduler = createScheduler();
  const random = createRandom(seed, 'platform');
  useSource({ scheduler, random });
  resetIds();
  const trace = createTrace(scheduler.now, keepsTrace);
  const violations: string[] = [];
  const violated = (text: string): void => {
    trace.note(`VIOLATION ${text}`);
    violations.push(text);
  };
  /** A fault that waits for a moment in the life of any run; it gets the id of the process that holds the run. */
  const ambushes: { readonly moment: Moment; readonly begin: (holder: string) => void }[] = [];
  const onMoment = (moment: Moment, holder: string): void => {
    const index = ambushes.findIndex((one) => one.moment === moment);
    const [ambush] = index === -1 ? [] : ambushes.splice(index, 1);
    if (ambush !== undefined) scheduler.deliver(random.next() * AMBUSH_MS, undefined, () => ambush.begin(holder));
  };
  /** Virtual time of the first fault. */
  const failing = { since: Number.POSITIVE_INFINITY };
  const monitor = createMonitor(trace.note, violated, onMoment, () => scheduler.now() >= failing.since);
  const weather = { calls: calm(1), broker: calm(1) };
  const storeWeather: StoreWeather = { ...calm(1), refusedBefore: 0, refusedAfter: 0, refusedRows: 0, codes: [1] };
  const server = createMemoryServer(() => EPOCH + scheduler.now(), monitor.onChange);
  const send = createStoreLink(server, scheduler, createRandom(seed, 'store'), storeWeather);
  const endpoints = new Endpoints();
  const calls = new SimulatedCalls({ scheduler, random, endpoints, weather: weather.calls });
  const broker = new SimulatedBroker({
    scheduler,
    random,
    weather: weather.broker,
    wall: () => EPOCH + scheduler.now(),
  });
  /** Virtual time until which leases may have ended early, because connections broke. */
  const early = { until: 0 };
  const onSent = (executionId: string, name: string, process: SimulatedProcess | undefined): void => {
    const history = monitor.histories.get(executionId);
    const id = process === undefined ? undefined : children.idOf(process);
    if (history === undefined || history.state === 'cancelled' || scheduler.now() < early.until) return;
    if (history.holder !== id)
      violated(
        `${process?.name ?? ''} begins the effect ${name} of ${executionId}, which it does not hold (${history.state})`,
      );
  };
  const target = new Target({ scheduler, random, note: trace.note, onSent });
  const logger = createLogger('simulated', keepsTrace ? 'warn' : 'silent', {
    write: (line) => {
      const { msg, reason, err }: { msg?: string; reason?: string; err?: { message?: string } } = JSON.parse(line);
      trace.note(`  log ${currentProcess()?.name ?? ''}: ${msg ?? ''} ${reason ?? ''} ${err?.message ?? ''}`);
    },
  });
  const targets = {
    executions: `ipv4:${addressesOf(sizes.replicas).join(',')}`,
    workflows: 'ipv4:10.0.1.1:7001',
    credentials: 'ipv4:10.0.1.2:7003',
  };
  const shared = {
    SERVICE_PUBLIC_KEYS: KEYS.publicKeys,
    LOG_LEVEL: 'silent',
    DRAIN_MS: '1000',
    NATS_URL: 'nats://10.0.1.3:4222',
    WORKFLOWS_TARGET: targets.workflows,
    CREDENTIALS_TARGET: targets.credentials,
  };
  const ofRunner = {
    ...shared,
    SERVICE_KEY: KEYS.privateKeyOf('runner'),
    EXECUTIONS_TARGET: targets.executions,
    RUNNER_SLOTS: String(sizes.slots),
  };
  const exited = (process: SimulatedProcess): void =>
    calls.breakOff((from, to) => from === process || to.process === process);
  const children = new Children({ scheduler, random, programOf: childProgram(ofRunner, logger), onExit: exited });
  const startServer = async ({ host, port, services }: ServerOptions): Promise<object> => {
    const process = currentProcess();
    if (process === undefined) throw new Error('A server belongs to a process.');
    const endpoint = endpoints.listen(`${host}:${port}`, process, services);
    return {
      port,
      health: { setReady: () => undefined },
      stop: async () => {
        endpoint.isDraining = true;
        for (const { leave } of services) leave?.();
        await scheduler.pause(50);
        endpoints.close(endpoint);
        calls.breakOff((_, to) => to === endpoint);
      },
    };
  };
  useSimulation({ calls, broker, target, children, startServer, connectDatabase: () => connectDatabase(send) });
  const kinds = createKinds();
  const listen = (address: string, name: string, service: SimulatedService): void =>
    void endpoints.listen(address, createProcess(name), [service]);
  listen('10.0.1.1:7001', 'workflows-1', workflowsService(kinds));
  listen('10.0.1.2:7003', 'credentials-1', credentialsService());

  const replicas: (Started | undefined)[] = [];
  const runners: (Started | undefined)[] = [];
  let starts = 0;
  /** Starts a process at its place in a list, unless it runs: its address has one user at a time. */
  const startAt = (
    list: (Started | undefined)[],
    index: number,
    service: string,
    start: (starting: Omit<Starting, 'environment'>) => Started,
  ): void => {
    if (list[index]?.process.isAlive === true) return;
    starts += 1;
    const name = `${service}-${index + 1}.${starts}`;
    trace.note(`start ${name}`);
    /** A process that cannot start exits, and is started again. */
    const onFailed = (error: unknown): void => {
      const started = list[index];
      if (started?.process.name !== name || !started.process.isAlive) return;
      trace.note(`${name} could not start: ${error instanceof Error ? error.message : String(error)}`);
      kill(started);
      scheduler.deliver(RESTART_MS, undefined, () => startAt(list, index, service, start));
    };
    list[index] = start({ name, logger, onFailed });
  };
  const startReplica = (index: number): void =>
    startAt(replicas, index, 'executions', (starting) =>
      startExecutions({
        ...starting,
        environment: {
          ...shared,
          SERVICE_KEY: KEYS.privateKeyOf('executions'),
          HOST: addressOf(index),
          PORT: String(PORTS.executions),
          MONGODB_URI: 'mongodb://10.0.1.4:27017',
          MIGRATE_AT_START: 'on',
          LEASE_MS: String(sizes.leaseMs),
          HOLD_AWAITED_MS: String(sizes.holdMs),
          SWEEP_MS: '4000',
        },
      }),
    );
  const startOneRunner = (index: number): void =>
    startAt(runners, index, 'runner', (starting) =>
      startRunner({
        ...starting,
        environment: { ...ofRunner, HOST: '10.0.2.1', PORT: String(PORTS.runner + index) },
      }),
    );
  const kill = (started: Started | undefined): void => {
    if (started === undefined || !started.process.isAlive) return;
    trace.note(`kill ${started.process.name}`);
    started.process.isAlive = false;
    children.killOf(started.process);
    exited(started.process);
  };
  const breakConnections = (process: SimulatedProcess): void => {
    early.until = scheduler.now() + EARLY_MS;
    exited(process);
  };
  return {
    ambushes,
    failing,
    breakConnections,
    early,
    sizes,
    scheduler,
    random,
    trace,
    violated,
    violations,
    monitor,
    weather,
    storeWeather,
    server,
    broker,
    target,
    children,
    kinds,
    targets,
    replicas,
    runners,
    startReplica,
    startRunner: startOneRunner,
    kill,
  };
};

export type World = ReturnType<typeof createWorld>;
