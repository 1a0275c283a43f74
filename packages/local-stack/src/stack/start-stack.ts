import { join } from 'node:path';
import { freePorts } from '../processes/free-port';
import { serviceEnvironment } from './service-environment';
import type { StackFacts } from './service-environment';
import { SERVICES, forEachService } from './services';
import type { ServiceName } from './services';
import { prepareStackBase } from './stack-base';
import type { StackBaseOptions, StackBase } from './stack-base';
import { Stack } from './stack';
import { StackProcess } from './stack-process';
import type { StackProcessPlan } from './stack-process';

/** Options of a stack. */
export interface StackOptions extends StackBaseOptions {
  /** Number of processes of each service; one by default. */
  readonly replicas?: Partial<Record<ServiceName, number>>;
  /** Further variables for all processes of a service, over everything else. */
  readonly env?: Partial<Record<ServiceName, Readonly<Record<string, string>>>>;
  /** Additional variables for one process, which override those of its service. */
  readonly envOf?: (service: ServiceName, index: number) => Readonly<Record<string, string>>;
  /**
   * Returns the port of 127.0.0.1 under which a process reaches another; without it, under the other's own. For proxies
   * between them.
   */
  readonly reach?: Reach;
  /** Compiled files to run instead of the services' own; for tests of the stack itself. */
  readonly programs?: Partial<Record<ServiceName, string>>;
  /** Takes over data folder, servers and names from a stack, whose own processes are stopped. */
  readonly keepServersFrom?: Stack;
}

/** A route from a process of the stack to a server it calls. `index`: number of the replica; 0 for the servers. */
export interface Route {
  readonly from: { readonly service: ServiceName; readonly index: number };
  readonly to: { readonly name: ServiceName | 'mongodb' | 'nats'; readonly index: number; readonly port: number };
}

/** Returns the port to use for a route. */
export type Reach = (route: Route) => Promise<number>;

/**
 * Starts NATS, MongoDB and the five services as separate processes, and returns when each is healthy.
 * Without `dataDir` the stack is a temporary one on random ports, which uses the servers that `MONGODB_URI` and
 * `NATS_URL` name, under separate names. Everything that was started is stopped again if it throws.
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const base =
    options.keepServersFrom === undefined ? await prepareStackBase(options) : await options.keepServersFrom.handOver();
  const processes: StackProcess[] = [];
  try {
    const ports = await choosePorts(options);
    const plans = await planProcesses(base, ports, options);
    for (const plan of plans) processes.push(StackProcess.start(plan));
    await Promise.all(processes.map((each) => each.waitUntilHealthy()));
    return new Stack(base, processes, targetsOf(ports));
  } catch (error) {
    await new Stack(base, processes, targetsOf(forEachService(() => []))).stop();
    throw error;
  }
}

type Ports = Readonly<Record<ServiceName, readonly number[]>>;

/** The first replica of a service gets the fixed port, if there is one; all others any free one. */
async function choosePorts(options: StackOptions): Promise<Ports> {
  const counts = forEachService((service) => options.replicas?.[service] ?? 1);
  const free = await freePorts(SERVICES.reduce((sum, service) => sum + counts[service], 0));
  return forEachService((service) => {
    const own = free.splice(0, counts[service]);
    const fixed = options.ports?.[service];
    return fixed === undefined ? own : [fixed, ...own.slice(1)];
  });
}

function targetsOf(ports: Ports): Record<ServiceName, string> {
  return forEachService((service) => `ipv4:${ports[service].map((port) => `127.0.0.1:${port}`).join(',')}`);
}

/** The addresses of its peers for the process of that service and number. */
async function addressesFor(
  service: ServiceName,
  index: number,
  base: StackBase,
  ports: Ports,
  reach: Reach,
): Promise<Pick<StackFacts, 'mongodbUri' | 'natsUrl' | 'targets'>> {
  const from = { service, index };
  const of = (name: Route['to']['name'], number: number, port: number): Promise<number> =>
    reach({ from, to: { name, index: number, port } });
  const through = async (name: 'mongodb' | 'nats', address: string): Promise<string> =>
    address.replace(/:\d+$/, `:${await of(name, 0, Number(new URL(address).port))}`);
  // No service calls the gateway: its address is the public URL, which must be the same in all of them.
  const called = SERVICES.filter((name) => name !== 'gateway');
  const entries = await Promise.all(
    called.map(
      async (name) => [name, await Promise.all(ports[name].map((port, number) => of(name, number, port)))] as const,
    ),
  );
  const reached = new Map<ServiceName, readonly number[]>(entries);
  return {
    mongodbUri: await through('mongodb', base.servers.mongodbUri),
    natsUrl: await through('nats', base.servers.natsUrl),
    targets: targetsOf(forEachService((name) => reached.get(name) ?? ports[name])),
  };
}

async function planProcesses(base: StackBase, ports: Ports, options: StackOptions): Promise<StackProcessPlan[]> {
  const { checkout, folder, secrets, servers, namespace, environment, isTemporary } = base;
  const shared = {
    secrets,
    mongodbUri: servers.mongodbUri,
    natsUrl: servers.natsUrl,
    namespace,
    targets: targetsOf(ports),
    environment,
  };
  const all = SERVICES.flatMap((service) => ports[service].map((port, index) => ({ service, port, index })));
  return Promise.all(
    all.map(async ({ service, port, index }) => {
      const facts =
        options.reach === undefined
          ? shared
          : { ...shared, ...(await addressesFor(service, index, base, ports, options.reach)) };
      return {
        service,
        index,
        port,
        hasSourceMaps: !isTemporary,
        main: options.programs?.[service] ?? join(checkout, 'services', service, 'dist/src/main.js'),
        cwd: checkout,
        env: serviceEnvironment(service, port, facts),
        settings: { ...options.env?.[service], ...options.envOf?.(service, index) },
        folder,
      };
    }),
  );
}
