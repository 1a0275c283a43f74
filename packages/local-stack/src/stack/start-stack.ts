import { join } from 'node:path';
import { freePorts } from '../processes/free-port';
import { serviceEnvironment } from './service-environment';
import { SERVICES, forEachService } from './services';
import type { ServiceName } from './services';
import { layGround } from './stack-ground';
import type { GroundOptions, StackGround } from './stack-ground';
import { Stack } from './stack';
import { StackProcess } from './stack-process';

/** What a stack is started with. */
export interface StackOptions extends GroundOptions {
  /** How many processes of each service; one by default. */
  readonly replicas?: Partial<Record<ServiceName, number>>;
  /** Further variables for all processes of a service, over everything else. */
  readonly env?: Partial<Record<ServiceName, Readonly<Record<string, string>>>>;
  /** Compiled files to run in place of the services' own; for tests of the stack itself. */
  readonly programs?: Partial<Record<ServiceName, string>>;
  /** Takes over data folder, servers and names from a stack, whose own processes are stopped. */
  readonly keepServersFrom?: Stack;
}

/**
 * Starts NATS, MongoDB and the five services as processes of their own, and returns when each is healthy.
 * Without `dataDir` the stack is a temporary one on random ports, which uses the servers that `MONGODB_URI` and
 * `NATS_URL` name, under names of its own. Whatever was started is stopped again if it throws.
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const ground = options.keepServersFrom === undefined ? await layGround(options) : await options.keepServersFrom.handOver();
  const processes: StackProcess[] = [];
  try {
    const ports = await choosePorts(options);
    const plans = planProcesses(ground, ports, options);
    for (const plan of plans) processes.push(StackProcess.start(plan));
    await Promise.all(processes.map((each) => each.waitUntilHealthy()));
    return new Stack(ground, processes, targetsOf(ports));
  } catch (error) {
    await new Stack(ground, processes, targetsOf(forEachService(() => []))).stop();
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

function planProcesses(ground: StackGround, ports: Ports, options: StackOptions): Parameters<typeof StackProcess.start>[0][] {
  const { checkout, folder, secrets, servers, namespace, environment } = ground;
  const facts = { secrets, mongodbUri: servers.mongodbUri, natsUrl: servers.natsUrl, namespace, targets: targetsOf(ports), environment };
  return SERVICES.flatMap((service) =>
    ports[service].map((port, index) => ({
      service,
      index,
      port,
      main: options.programs?.[service] ?? join(checkout, 'services', service, 'dist/src/main.js'),
      cwd: checkout,
      env: { ...serviceEnvironment(service, port, facts), ...options.env?.[service] },
      folder,
    })),
  );
}
