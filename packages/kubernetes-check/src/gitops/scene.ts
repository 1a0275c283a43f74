import { readdirSync, readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  freePort,
  Ledger,
  ManagedProcess,
  type Proxy,
  type Report,
  runCommand,
  type Stack,
  StackError,
  startProxy,
  startStack,
  tryCommand,
  waitUntil,
} from '@weft/local-stack';
import { renderBase } from '@weft/e2e/rendered';
import { restClient, type Rest } from '@weft/e2e/rest';
import { root } from '@weft/e2e/services';
import { prepareCluster } from '../cluster/prepare-cluster';

/** Namespace of the operator. */
const HOME = 'weft';
const LIMIT_MS = 60_000;
const EVERY_MS = 50;

/** A condition on an object of the cluster. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
}

/** An object as the stories read it. */
export interface Read {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly generation: number;
    readonly resourceVersion: string;
    readonly deletionTimestamp?: string;
  };
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status?: {
    readonly observedGeneration?: number;
    readonly workflowId?: string;
    readonly versionId?: string;
    readonly credentialId?: string;
    readonly active?: boolean;
    readonly webhooks?: readonly { readonly method: string; readonly url: string }[];
    readonly conditions?: readonly Condition[];
  };
}

/** A namespace that takes part, with its project. */
export interface Team {
  readonly namespace: string;
  readonly projectId: string;
  readonly keyId: string;
}

/** Settings of the operator for one start. */
export type OperatorEnv = Readonly<Record<string, string>>;

/** A cluster, a stack, and the operator between them. */
export interface Scene {
  readonly report: Report;
  readonly stack: Stack;
  readonly rest: Rest;
  readonly baseUrl: string;
  /** Between the operator and the gateway. */
  readonly proxy: Proxy;
  /** @throws StackError with the message of the API server */
  readonly kubectl: (args: readonly string[], input?: string) => Promise<string>;
  readonly tryKubectl: (args: readonly string[], input?: string) => Promise<{ code: number; stderr: string }>;
  readonly apply: (...objects: readonly object[]) => Promise<void>;
  readonly get: (kind: string, namespace: string, name: string) => Promise<Read | undefined>;
  readonly list: (kind: string, namespace: string) => Promise<readonly Read[]>;
  /** Waits until an object is as described. @throws StackError with the object as it is */
  readonly until: (
    kind: string,
    namespace: string,
    name: string,
    isRight: (object: Read | undefined) => boolean,
    limitMs?: number,
  ) => Promise<Read | undefined>;
  readonly createTeam: (namespace: string) => Promise<Team>;
  readonly startOperator: (env?: OperatorEnv) => void;
  readonly killOperator: () => Promise<void>;
  readonly stopOperator: () => Promise<void>;
  /** Value of a metric of the operator, summed over the series that contain `labels`. */
  readonly metric: (name: string, labels?: string) => Promise<number>;
  readonly operatorPid: () => number;
  /** Every status that was read, by its text. */
  readonly statuses: ReadonlyMap<string, Read>;
  readonly stop: () => Promise<void>;
}

/** The condition of an object, as `Status Reason`; `absent` without it. */
export const conditionText = (object: Read | undefined, type: string): string => {
  const found = object?.status?.conditions?.find((one) => one.type === type);
  return found === undefined ? 'absent' : `${found.status} ${found.reason}`;
};

export const isReady = (object: Read | undefined): boolean =>
  object?.status?.observedGeneration === object?.metadata.generation &&
  conditionText(object, 'Ready').startsWith('True') &&
  conditionText(object, 'Reconciling') === 'absent';

export const workflowObject = (namespace: string, name: string, spec: object): object => ({
  apiVersion: 'weft.dev/v1alpha1',
  kind: 'WeftWorkflow',
  metadata: { name, namespace },
  spec,
});

/** A workflow that answers calls of a webhook with a word. */
export const echo = (path: string, word: string, nodes: readonly object[] = []): object => ({
  name: `Echo ${path}`,
  nodes: [
    {
      name: 'Webhook',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      position: [0, 0],
      parameters: { path, httpMethod: 'POST', responseMode: 'lastNode' },
    },
    {
      name: 'Set',
      type: 'n8n-nodes-base.set',
      typeVersion: 3.4,
      position: [200, 0],
      parameters: { assignments: { assignments: [{ id: '1', name: 'word', value: word, type: 'string' }] } },
    },
    ...nodes,
  ],
  connections: { Webhook: { main: [[{ node: 'Set', type: 'main', index: 0 }]] } },
  settings: {},
});

const namespaceObject = (name: string): object => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

const dataText = (value: unknown, name: string): string => {
  const found = typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name) : [];
  return String(found?.[1] ?? '');
};

/** Objects of the component. */
const installed = (): readonly object[] =>
  renderBase(['gitops'], HOME).filter(
    ({ kind, metadata }) => kind === 'CustomResourceDefinition' || metadata.name === 'weft-operator',
  );

/** The folder that Kubernetes mounts into a pod, with a token that has the rights of the roles alone. */
const writeServiceAccount = (folder: string, token: string): string => {
  const account = join(folder, 'service-account');
  mkdirSync(account, { recursive: true });
  const certificates = join(folder, 'cluster/certificates');
  const [certificate = ''] = readdirSync(certificates).filter((file) => file.endsWith('.crt'));
  writeFileSync(join(account, 'ca.crt'), readFileSync(join(certificates, certificate)));
  writeFileSync(join(account, 'token'), token, { mode: 0o600 });
  return account;
};

/** @param folder empty folder for data and logs */
export const startScene = async (folder: string, report: Report): Promise<Scene> => {
  const cluster = await prepareCluster(join(folder, 'cluster'), report);
  const stops: (() => Promise<void> | void)[] = [() => cluster.stop()];
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    const stack = await startStack({
      env: { credentials: { RATE_LIMIT_PER_MINUTE: '0', PASSWORD_COST: '4' } },
    });
    stops.push(() => stack.stop());
    const [baseUrl = ''] = stack.baseUrls;
    const proxy = await startProxy(Number(new URL(baseUrl).port));
    stops.push(() => proxy.close());
    const rest = restClient(baseUrl, stack.apiKey);
    const statuses = new Map<string, Read>();
    const note = (object: Read): Read => {
      statuses.set(JSON.stringify([object.kind, object.status, object.spec['suspend']]), object);
      return object;
    };
    const env = { ...process.env, KUBECONFIG: cluster.kubeconfig };
    const kubectl: Scene['kubectl'] = (args, input = '') => runCommand('kubectl', [...args], { env, input });
    const tryKubectl: Scene['tryKubectl'] = (args, input = '') => tryCommand('kubectl', [...args], { env, input });
    const apply: Scene['apply'] = async (...objects) => {
      const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
      await kubectl(['apply', '--server-side', '--validate=strict', '-f', '-'], list);
    };
    await apply(namespaceObject(HOME), ...installed());
    await kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s']);
    const token = (await kubectl(['create', 'token', 'weft-operator', '-n', HOME, '--duration=6h'])).trim();
    const account = writeServiceAccount(folder, token);
    const metricsPort = await freePort();
    const ledger = new Ledger(join(folder, 'run'));
    let operator: ManagedProcess | undefined;
    let starts = 0;
    const endOperator = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
      const running = operator;
      operator = undefined;
      if (running === undefined) return;
      process.kill(running.pid, signal);
      await running.ended;
    };
    stops.push(() => endOperator('SIGTERM'));
    const get: Scene['get'] = async (kind, namespace, name) => {
      const text = await kubectl(['get', kind, '-n', namespace, name, '-o', 'json', '--ignore-not-found']);
      if (text.trim() === '') return undefined;
      const object: Read = JSON.parse(text);
      return note(object);
    };
    return {
      report,
      stack,
      rest,
      baseUrl,
      proxy,
      kubectl,
      tryKubectl,
      apply,
      get,
      list: async (kind, namespace) => {
        const { items }: { readonly items: readonly Read[] } = JSON.parse(
          await kubectl(['get', kind, '-n', namespace, '-o', 'json']),
        );
        return items.map(note);
      },
      until: async (kind, namespace, name, isRight, limitMs = LIMIT_MS) => {
        let seen: Read | undefined;
        const done = await waitUntil(
          async () => {
            seen = await get(kind, namespace, name);
            return isRight(seen);
          },
          { limitMs, everyMs: EVERY_MS },
        );
        if (done) return seen;
        throw new StackError(
          `${kind} ${namespace}/${name} is not as expected after ${limitMs} ms: ${JSON.stringify(seen?.status)}`,
        );
      },
      createTeam: async (namespace) => {
        const project = await rest('POST', '/projects', { name: namespace });
        const projectId = dataText(project.json.data, 'id');
        const scopes = ['workflows:write', 'credentials:write'];
        const key = await rest('POST', '/keys', { name: namespace, scopes });
        await apply(namespaceObject(namespace));
        const role = renderBase(['gitops-namespace'], namespace).filter(
          ({ metadata }) => metadata.name === 'weft-operator-secrets',
        );
        await apply(...role, {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name: 'weft', namespace },
          stringData: { key: dataText(key.json.data, 'value'), project: namespace },
        });
        return { namespace, projectId, keyId: dataText(key.json.data, 'id') };
      },
      startOperator: (more = {}) => {
        starts += 1;
        operator = ManagedProcess.start({
          name: `operator-${starts}`,
          command: process.execPath,
          args: ['--enable-source-maps', '--max-old-space-size=64', '--max-semi-space-size=2', 'dist/src/main.js'],
          cwd: join(root, 'services/operator'),
          env: {
            PATH: process.env['PATH'],
            METRICS_PORT: String(metricsPort),
            WEFT_URL: `http://127.0.0.1:${proxy.port}`,
            WEBHOOK_URL: baseUrl,
            CLUSTER_NAME: 'check',
            KUBERNETES_SERVICE_HOST: '127.0.0.1',
            KUBERNETES_SERVICE_PORT: String(cluster.access.port),
            SERVICE_ACCOUNT_DIR: account,
            KEY_POLL_MS: '1000',
            RESYNC_MS: '5000',
            ...more,
          },
          logFile: join(folder, 'logs', `operator-${starts}.log`),
          stopManner: { signal: 'SIGTERM', graceMs: 10_000 },
          ledger,
        });
      },
      killOperator: () => endOperator('SIGKILL'),
      stopOperator: () => endOperator('SIGTERM'),
      metric: async (name, labels = '') => {
        const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
        const lines = text.split('\n').filter((line) => line.startsWith(name) && line.includes(labels));
        return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
      },
      operatorPid: () => operator?.pid ?? 0,
      statuses,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
