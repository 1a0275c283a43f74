import { join } from 'node:path';
import {
  findConnectionHolder,
  runnerProcesses,
  SERVICES,
  startProxy,
  startStack,
  type Proxy,
  type Reach,
  type ServiceName,
  type Stack,
  type StackProcess,
} from '@weft/local-stack';
import { startFailingProxy, type FailingProxy, type StoreFault } from '@weft/service-kit/testing';
import type { Link, StoreService, Target } from '../plan/fault';
import { createClocks } from './clocks';
import { createOfferPorts } from './offer-ports';
import { mountSmallDisk, type SmallDisk } from './small-disk';

/** A process of a runner that made a call. */
export interface CallingProcess {
  /** Number of the runner. */
  readonly index: number;
  readonly pid: number;
  /** The id under which the process claims. */
  readonly runnerId: string;
}

/** Settings of a stack under test. */
export interface EnvironmentOptions {
  /** Replicas of each service. */
  readonly replicas: number;
  /** A proxy on every route from a process to a server that it calls. */
  readonly withProxies: boolean;
  /** Shifts the clocks of second replicas. */
  readonly skewMs?: Readonly<Record<ServiceName, number>>;
  /** Variables of a service, over the defaults. */
  readonly env: Partial<Record<ServiceName, Readonly<Record<string, string>>>>;
  /** Ports of the metrics of each runner; without, they have none. */
  readonly runnerMetricsPorts?: readonly number[];
  /** True if the plan also disturbs NATS and the database; otherwise those that the environment names may be used. */
  readonly ownServers: boolean;
  /** The database gets a disk that can be filled; this process must be allowed to mount one. Implies own servers. */
  readonly withSmallDisk?: boolean;
  /** Names of protections to disable; see preload/without.ts. */
  readonly without: readonly string[];
  readonly report: (line: string) => void;
}

/** A stack with its proxies. */
export interface TestEnvironment {
  readonly stack: Stack;
  readonly processOf: (target: Target) => StackProcess;
  /** The proxies of a link; none if there are no proxies. */
  readonly proxiesOf: (link: Link) => readonly Proxy[];
  /**
   * The ids under which a runner claims, by its log: its own first, then those of the processes in which it executed
   * isolated runs. None before it has begun.
   */
  readonly runnerIdsOf: (index: number) => readonly string[];
  /** The process that has called from this port; undefined if it has ended meanwhile. */
  readonly callingProcess: (port: number) => CallingProcess | undefined;
  /** Number of executions that were offered to a runner before they were stored; counted by the proxies. */
  readonly offeredCount: () => number;
  /** Makes the database fail for all replicas of a service; undefined: not any more. Only with proxies. */
  readonly failStore: (service: StoreService, fault: StoreFault | undefined) => void;
  /** Sets the clock of a process ahead of its usual one. Only with proxies. */
  readonly stepClock: (target: Target, aheadMs: number) => void;
  /** The disk of the database; undefined if it has no separate one. */
  readonly disk: SmallDisk | undefined;
  readonly stop: () => Promise<void>;
}

/** The servers that each service calls, so that no proxy is made for an unused route. */
const CALLED: Readonly<Record<ServiceName, readonly string[]>> = {
  gateway: ['workflows', 'executions', 'credentials'],
  workflows: ['executions', 'credentials', 'mongodb'],
  executions: ['workflows', 'credentials', 'mongodb', 'nats'],
  credentials: ['executions', 'mongodb'],
  runner: ['workflows', 'executions', 'credentials', 'nats'],
};

const preload = (name: string): string => `--require=${join(__dirname, '../preload', `${name}.js`)}`;

const preloadsOf = (
  service: ServiceName,
  index: number,
  { skewMs, without, withProxies }: EnvironmentOptions,
  clockFile: string,
): Record<string, string> => {
  const shiftMs = index === 0 ? 0 : (skewMs?.[service] ?? 0);
  const options = [
    ...(shiftMs === 0 ? [] : [preload('shift-clock')]),
    ...(withProxies ? [preload('step-clock')] : []),
    ...(without.length === 0 ? [] : [preload('without')]),
  ];
  if (options.length === 0) return {};
  return {
    NODE_OPTIONS: [process.env['NODE_OPTIONS'] ?? '', ...options].join(' ').trim(),
    CHAOS_CLOCK_MS: String(shiftMs),
    CHAOS_CLOCK_FILE: clockFile,
    CHAOS_WITHOUT: without.join(','),
    CHAOS_SERVICE: service,
  };
};

/** Variables of one process, over those of its service. */
const ownEnvironment = (
  service: ServiceName,
  index: number,
  options: EnvironmentOptions,
  clockFile: string,
): Record<string, string> => {
  const port = service === 'runner' ? options.runnerMetricsPorts?.[index] : undefined;
  return {
    ...preloadsOf(service, index, options, clockFile),
    ...(port === undefined ? {} : { METRICS_PORT: String(port) }),
  };
};

const keyOf = ({ service, index }: Target, to: string): string => `${service}-${index} ${to}`;

/** Starts a stack and waits until everything is healthy. */
export const startEnvironment = async (options: EnvironmentOptions): Promise<TestEnvironment> => {
  const proxies = new Map<string, Proxy[]>();
  const stores = new Map<ServiceName, FailingProxy[]>();
  const clocks = createClocks();
  const offers = createOfferPorts();
  const storePort = async (service: ServiceName, port: number): Promise<number> => {
    const failing = await startFailingProxy(port);
    stores.set(service, [...(stores.get(service) ?? []), failing]);
    return failing.port;
  };
  const reach: Reach = async ({ from, to }) => {
    if (!CALLED[from.service].includes(to.name)) return to.port;
    const proxy = await startProxy(to.name === 'mongodb' ? await storePort(from.service, to.port) : to.port);
    if (from.service === 'runner' && to.name === 'executions') offers.add(from.index, to.port, proxy.port);
    if (from.service === 'runner' && to.name === 'nats') proxy.setRewrite(offers.rewriteFor(from.index));
    const key = keyOf(from, to.name);
    proxies.set(key, [...(proxies.get(key) ?? []), proxy]);
    return proxy.port;
  };
  const replicas = Object.fromEntries(SERVICES.map((service) => [service, options.replicas]));
  const disk = options.withSmallDisk === true ? await mountSmallDisk() : undefined;
  const closeAll = async (): Promise<void> => {
    for (const each of [...proxies.values()].flat()) each.close();
    await Promise.all([...stores.values()].flat().map((each) => each.close()));
    clocks.close();
    disk?.close();
  };
  const stack = await startStack({
    ownServers: options.ownServers,
    ...(disk === undefined ? {} : { dataDir: disk.dataDir, ownServers: true }),
    replicas,
    // The hostile user has a password, with which it creates its API key.
    env: {
      ...options.env,
      credentials: { BASIC_AUTH: 'on', ...options.env.credentials },
      gateway: { BASIC_AUTH: 'on', ...options.env.gateway },
    },
    envOf: (service, index) => ownEnvironment(service, index, options, clocks.fileOf({ service, index })),
    report: options.report,
    ...(options.withProxies ? { reach } : {}),
  }).catch(async (error: unknown) => {
    await closeAll();
    throw error;
  });
  const processOf = ({ service, index }: Target): StackProcess => {
    const found = stack.of(service).find((each) => each.index === index);
    if (found === undefined) throw new Error(`There is no ${service} ${index}.`);
    return found;
  };
  return {
    stack,
    processOf,
    proxiesOf: ({ from, to }) => proxies.get(keyOf(from, to)) ?? [],
    runnerIdsOf: (index) => runnerProcesses(processOf({ service: 'runner', index })).map(({ runnerId }) => runnerId),
    callingProcess: (port) =>
      findConnectionHolder(
        port,
        stack.of('runner').flatMap((runner) => runnerProcesses(runner).map((one) => ({ ...one, index: runner.index }))),
      ),
    offeredCount: offers.count,
    failStore: (service, fault) => stores.get(service)?.forEach((each) => each.fail(fault)),
    stepClock: clocks.step,
    disk,
    stop: async () => {
      // a frozen process cannot stop
      for (const each of [...stack.processes, ...stack.servers]) each.kill('SIGCONT');
      disk?.free();
      await stack.stop();
      await closeAll();
    },
  };
};
