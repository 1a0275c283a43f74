import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts, SERVICES, type ServiceName } from '@weft/local-stack';
import { readDeployedLimits, type DeployedLimit } from '@weft/local-stack/deployed-limits';
import { startEnvironment, type TestEnvironment } from '../environment/test-environment';
import { startSink, type Sink } from '../environment/sink';
import { createApi, type Api } from '../load/api';
import type { Kind } from '../load/kind';
import { storeWorkflows } from '../load/store-workflows';
import { openStoreReader, type ExecutionRow, type StoreReader } from '../watch/store';
import { startCrowd } from './tenants/crowd';
import type { Ingress } from './start-run';

/** A stack with the limits of the deployment, workflows of an ordinary tenant, and clients. */
export interface Scene {
  readonly environment: TestEnvironment;
  readonly sink: Sink;
  readonly api: Api;
  readonly store: StoreReader;
  readonly ingress: Ingress;
  readonly limits: Readonly<Record<ServiceName, DeployedLimit>>;
  /** All records of the ordinary tenant's workflows. */
  readonly rows: () => Promise<ExecutionRow[]>;
  /** Waits until all of those have ended. Returns those that have not. */
  readonly settle: (limitMs: number) => Promise<ExecutionRow[]>;
  readonly stop: () => Promise<void>;
}

const REPLICAS = 2;
/** The default of the gateway, which a developer's stack turns off. */
const SHUTDOWN_DELAY_MS = 5_000;
const LIVE = ['queued', 'running', 'waiting'];

/** Further variables of the services. */
export type SceneEnvironment = Partial<Record<ServiceName, Readonly<Record<string, string>>>>;

/** The variables of the services: those of the deployment, without a rate limit, and with a way to the sink. */
const envOf = (
  limits: Readonly<Record<ServiceName, DeployedLimit>>,
  further: SceneEnvironment,
): Partial<Record<ServiceName, Readonly<Record<string, string>>>> => {
  const env: Partial<Record<ServiceName, Readonly<Record<string, string>>>> = {};
  for (const service of SERVICES) env[service] = { ...limits[service].environment, ...further[service] };
  return {
    ...env,
    gateway: { ...env.gateway, SHUTDOWN_DELAY_MS: String(SHUTDOWN_DELAY_MS) },
    credentials: { ...env.credentials, RATE_LIMIT_PER_MINUTE: '0' },
    runner: { ...env.runner, OUTBOUND_ALLOW: '127.0.0.1' },
  };
};

/** Starts two replicas of everything with separate servers, and stores the workflows of the ordinary tenant. */
export const openScene = async (
  kinds: readonly Kind[],
  report: (line: string) => void,
  further: SceneEnvironment = {},
): Promise<Scene> => {
  const limits = readDeployedLimits();
  const sink = await startSink();
  report(`starting ${REPLICAS} replicas of each service with separate servers ...`);
  const environment = await startEnvironment({
    replicas: REPLICAS,
    withProxies: false,
    ownServers: true,
    env: envOf(limits, further),
    runnerMetricsPorts: await freePorts(REPLICAS),
    without: [],
    report,
  });
  report(`logs: ${environment.stack.dataDir}/logs`);
  const { stack } = environment;
  const store = await openStoreReader(stack);
  const api = createApi(stack.baseUrls, stack.apiKey);
  const stored = await storeWorkflows(api, kinds, false, sink.url);
  const ids = new Map([...stored].map(([id, { kind }]) => [kind.name, id]));
  const crowd = startCrowd(stack.baseUrls);
  const rows = async (): Promise<ExecutionRow[]> =>
    (await store.all()).filter(({ workflowId }) => stored.has(workflowId));
  const live = async (): Promise<ExecutionRow[]> =>
    (await store.inStates(LIVE)).filter(({ workflowId }) => stored.has(workflowId));
  return {
    environment,
    sink,
    api,
    store,
    limits,
    rows,
    ingress: { crowd, apiKey: stack.apiKey, workflowIdOf: (kind) => ids.get(kind) ?? '' },
    settle: async (limitMs) => {
      const until = Date.now() + limitMs;
      let left = await live();
      while (left.length > 0 && Date.now() < until) {
        await sleep(500);
        left = await live();
      }
      return left;
    },
    stop: async () => {
      await crowd.stop();
      await store.close();
      await environment.stop();
      await sink.stop();
    },
  };
};
