import { createApi } from '@weft/chaos/api';
import { startCrowd, type Crowd } from '@weft/chaos/crowd';
import { startSink, type Sink } from '@weft/chaos/sink';
import type { Ingress } from '@weft/chaos/start-run';
import { openStoreReader, type StoreReader } from '@weft/chaos/store';
import { storeWorkflows } from '@weft/chaos/store-workflows';
import { forEachService, SERVICES, startStack, type Report, type ServiceName, type Stack } from '@weft/local-stack';
import { readDeployedLimits } from '@weft/local-stack/deployed-limits';
import { startBalancer } from './balancer';
import { CHILD, LOAD_KINDS, RESUMED, SCHEDULED } from './kinds';
import type { Version } from './roll';

/** Two of each process of a release behind one address, with stored workflows and clients. */
export interface Scene {
  readonly stack: Stack;
  readonly sink: Sink;
  readonly store: StoreReader;
  readonly crowd: Crowd;
  /** The one address of the gateways. */
  readonly url: string;
  readonly ingress: Ingress;
  readonly stop: () => Promise<void>;
}

const REPLICAS = 2;
/** The default of the gateway, which a developer's stack turns off. */
const SHUTDOWN_DELAY_MS = 5_000;

const environment = (): Record<ServiceName, Readonly<Record<string, string>>> => {
  const limits = readDeployedLimits();
  const own: Partial<Record<ServiceName, Readonly<Record<string, string>>>> = {
    gateway: { SHUTDOWN_DELAY_MS: String(SHUTDOWN_DELAY_MS) },
    credentials: { RATE_LIMIT_PER_MINUTE: '0' },
    runner: { OUTBOUND_ALLOW: '127.0.0.1' },
  };
  return forEachService((service) => ({ ...limits[service].environment, ...own[service] }));
};

/** Starts everything at a version. Stops what it has started if it throws. */
export const openScene = async ({ programOf }: Version, report: Report): Promise<Scene> => {
  const balancer = await startBalancer();
  const sink = await startSink();
  const closing: (() => Promise<void>)[] = [() => sink.stop(), () => balancer.stop()];
  const stop = async (): Promise<void> => {
    for (const close of closing.reverse()) await close();
  };
  try {
    const stack = await startStack({
      ownServers: true,
      replicas: Object.fromEntries(SERVICES.map((service) => [service, REPLICAS])),
      programs: forEachService(programOf),
      env: environment(),
      environment: { ...process.env, PUBLIC_URL: balancer.url },
      report,
    });
    closing.push(() => stack.stop());
    balancer.setTargets(stack.of('gateway').map(({ port }) => port));
    report(`logs: ${stack.dataDir}/logs`);
    const store = await openStoreReader(stack);
    closing.push(() => store.close());
    const api = createApi([balancer.url], stack.apiKey);
    const stored = await storeWorkflows(api, [CHILD, ...LOAD_KINDS, RESUMED, SCHEDULED], false, sink.url);
    const ids = new Map([...stored].map(([id, { kind }]) => [kind.name, id]));
    const crowd = startCrowd([balancer.url]);
    closing.push(() => crowd.stop());
    const ingress = { crowd, apiKey: stack.apiKey, workflowIdOf: (kind: string) => ids.get(kind) ?? '' };
    return { stack, sink, store, crowd, url: balancer.url, ingress, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
