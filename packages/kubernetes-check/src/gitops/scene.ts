import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  freePort,
  type Proxy,
  type Report,
  runCommand,
  StackError,
  startProxy,
  startStack,
  waitUntil,
} from '@weft/local-stack';
import { renderBase } from '@weft/e2e/rendered';
import { dataOf, restClient, type Rest } from '@weft/e2e/rest';
import { prepareCluster } from '../cluster/prepare-cluster';
import { ApiError, createApiClient, type ApiAccess } from '../node/api-client';
import { createOperatorProcess, type OperatorProcess } from './operator-process';

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
    readonly appName?: string;
    readonly digest?: string;
    readonly secretResourceVersion?: string;
    readonly active?: boolean;
    readonly webhooks?: readonly { readonly method: string; readonly url: string }[];
    readonly conditions?: readonly Condition[];
  };
}

/** A cluster, a Weft, and the operator between them. */
export interface Scene {
  readonly report: Report;
  readonly rest: Rest;
  readonly baseUrl: string;
  /** Between the operator and the gateway. */
  readonly proxy: Proxy;
  readonly operator: OperatorProcess;
  /** @throws StackError with the message of the API server */
  readonly kubectl: (args: readonly string[], input?: string) => Promise<string>;
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
  /** Makes a project, a namespace with its role, and a key. @returns the id of the key */
  readonly createTeam: (namespace: string) => Promise<string>;
  /** Replaces the key of a namespace. @param isLimited false for a key that may do everything @returns its id */
  readonly writeKey: (namespace: string, isLimited?: boolean) => Promise<string>;
  /** Every status that was read, by its text. */
  readonly statuses: ReadonlyMap<string, Read>;
  readonly close: () => Promise<void>;
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

export const textOf = (value: unknown, name: string): string => {
  const found = typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name) : [];
  return String(found?.[1] ?? '');
};

/** Objects of the component. */
const installed = (): readonly object[] =>
  renderBase(['gitops'], HOME).filter(
    ({ kind, metadata }) => kind === 'CustomResourceDefinition' || metadata.name === 'weft-operator',
  );

/** The folder that Kubernetes mounts into a pod, with a token that has the rights of the roles alone. */
const writeServiceAccount = (certificates: string, folder: string, token: string): string => {
  const account = join(folder, 'service-account');
  mkdirSync(account, { recursive: true });
  const [certificate = ''] = readdirSync(certificates).filter((file) => file.endsWith('.crt'));
  writeFileSync(join(account, 'ca.crt'), readFileSync(join(certificates, certificate)));
  writeFileSync(join(account, 'token'), token, { mode: 0o600 });
  return account;
};

const pathOf = (kind: string, namespace: string): string => `/apis/weft.dev/v1alpha1/namespaces/${namespace}/${kind}s`;

/** A running API server, and a Weft whose key may do everything. */
export interface Stage {
  /** Empty folder for data and logs. */
  readonly folder: string;
  readonly kubeconfig: string;
  readonly access: ApiAccess;
  /** Folder with the certificate of the API server. */
  readonly certificates: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly report: Report;
}

/** Installs the component, and prepares the operator with a token that has the rights of its roles alone. */
export const openScene = async (stage: Stage): Promise<Scene> => {
  const { folder, baseUrl, report } = stage;
  const proxy = await startProxy(Number(new URL(baseUrl).port));
  const rest = restClient(baseUrl, stage.apiKey);
  const statuses = new Map<string, Read>();
  const note = (object: Read): Read => {
    statuses.set(JSON.stringify([object.kind, object.status, object.spec['suspend']]), object);
    return object;
  };
  const api = createApiClient(stage.access);
  const env = { ...process.env, KUBECONFIG: stage.kubeconfig };
  const kubectl: Scene['kubectl'] = (args, input = '') => runCommand('kubectl', [...args], { env, input });
  const apply: Scene['apply'] = async (...objects) => {
    const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
    await kubectl(['apply', '--server-side', '--force-conflicts', '--validate=strict', '-f', '-'], list);
  };
  await apply(namespaceObject(HOME), ...installed());
  await kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s']);
  const token = (await kubectl(['create', 'token', 'weft-operator', '-n', HOME, '--duration=6h'])).trim();
  const account = writeServiceAccount(stage.certificates, folder, token);
  const operator = createOperatorProcess(folder, {
    METRICS_PORT: String(await freePort()),
    WEFT_URL: `http://127.0.0.1:${proxy.port}`,
    WEBHOOK_URL: baseUrl,
    CLUSTER_NAME: 'check',
    KUBERNETES_SERVICE_HOST: '127.0.0.1',
    KUBERNETES_SERVICE_PORT: String(stage.access.port),
    SERVICE_ACCOUNT_DIR: account,
    KEY_POLL_MS: '1000',
    RESYNC_MS: '5000',
  });
  const get: Scene['get'] = async (kind, namespace, name) => {
    try {
      return note(await api.get<Read>(`${pathOf(kind, namespace)}/${name}`));
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  };
  const writeKey: Scene['writeKey'] = async (namespace, isLimited = true) => {
    const scopes = isLimited ? { scopes: ['workflows:write', 'credentials:write'] } : {};
    const key = await rest('POST', '/keys', { name: namespace, ...scopes });
    await apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'weft', namespace },
      stringData: { key: textOf(key.json.data, 'value'), project: namespace },
    });
    return textOf(key.json.data, 'id');
  };
  return {
    report,
    rest,
    baseUrl,
    proxy,
    operator,
    kubectl,
    apply,
    get,
    writeKey,
    list: async (kind, namespace) => {
      const { items } = await api.get<{ readonly items: readonly Read[] }>(pathOf(kind, namespace));
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
      const { user } = dataOf(await rest('GET', '/me'));
      const member = { userId: textOf(user, 'id'), role: 'admin' };
      await rest('POST', `/projects/${textOf(project.json.data, 'id')}/members`, member);
      await apply(namespaceObject(namespace));
      await apply(
        ...renderBase(['gitops-namespace'], namespace).filter(
          ({ metadata }) => metadata.name === 'weft-operator-secrets',
        ),
      );
      return writeKey(namespace);
    },
    statuses,
    close: async () => {
      await operator.stop();
      proxy.close();
      api.close();
    },
  };
};

/** @param folder empty folder for data and logs */
export const startScene = async (
  folder: string,
  report: Report,
): Promise<{ readonly scene: Scene; readonly stop: () => Promise<void> }> => {
  const cluster = await prepareCluster(join(folder, 'cluster'), report);
  const ends: (() => Promise<void>)[] = [() => cluster.stop()];
  const stop = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    const stack = await startStack({
      env: {
        credentials: { RATE_LIMIT_PER_MINUTE: '0', PASSWORD_COST: '4' },
        // An app calls the stack.
        runner: { OUTBOUND_ALLOW: '127.0.0.1' },
      },
    });
    ends.push(() => stack.stop());
    const scene = await openScene({
      folder,
      report,
      kubeconfig: cluster.kubeconfig,
      access: cluster.access,
      certificates: join(folder, 'cluster/certificates'),
      baseUrl: stack.baseUrls[0] ?? '',
      apiKey: stack.apiKey,
    });
    ends.push(() => scene.close());
    return { scene, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
