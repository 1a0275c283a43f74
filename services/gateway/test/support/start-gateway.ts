import { answerChecker, type SeenAnswer } from '@weft/api-contract';
import { closeAfterEach, makeTestKeys, testLogger, startFakePeer } from '@weft/service-kit/testing';
import { config } from '../../src/config';
import { API_ROOT, DOCUMENT_PATH, ROUTES } from '../../src/handlers/routes';
import { makeDocument } from '../../src/openapi/document';
import { createServer } from '../../src/server';
import { fakeAudit } from '../peers/audit';
import { fakeCredentials } from '../peers/credentials';
import { fakeDataTables } from '../peers/data-tables';
import { fakeDeliveries } from '../peers/deliveries';
import { fakeEvents } from '../peers/events';
import { fakeExecutions } from '../peers/executions';
import { fakeIdentity, KEYS } from '../peers/identity';
import { fakeRetries } from '../peers/retries';
import { fakeListening } from '../peers/listening';
import { fakeSubscriptions } from '../peers/subscriptions';
import { fakeSchedules } from '../peers/schedules';
import { fakeApps } from '../peers/apps';
import { fakeVariables } from '../peers/variables';
import { fakeWorkflows } from '../peers/workflows';

/** Options of a test request; a body that is not a string is sent as JSON. */
export interface Ask {
  /** undefined: the owner's key; null: none. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; null if it is empty or not JSON. */
  readonly json: Body;
}

/** Bodies as used in tests. */
export interface Body {
  readonly data?: unknown;
  readonly nextCursor?: string | null;
  readonly message?: string;
  readonly executionId?: string;
  readonly deliveryId?: string;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly details?: Readonly<Record<string, unknown>>;
    readonly retryAfter?: number;
  };
}

const isBody = (value: unknown): value is Body => typeof value === 'object' && value !== null;

const parseBody = (text: string): Body => {
  try {
    const value: unknown = JSON.parse(text);
    return isBody(value) ? value : {};
  } catch {
    return {};
  }
};

const isRaw = (body: unknown): body is string | Buffer => typeof body === 'string' || Buffer.isBuffer(body);

const check = answerChecker(makeDocument(ROUTES));

/** Checks that a response in any test matches the OpenAPI document. @throws Error with the differences */
export const expectDocumented = ({ path, ...answer }: SeenAnswer): void => {
  if (!path.startsWith(`${API_ROOT}/`) || path.startsWith(API_ROOT + DOCUMENT_PATH)) return;
  const faults = check({ ...answer, path: path.slice(API_ROOT.length) });
  if (faults.length > 0) throw new Error(`The answer is not as documented:\n${faults.join('\n')}`);
};

/** Sends one request. */
export const ask = async (
  base: string,
  method: string,
  path: string,
  { key, headers = {}, body }: Ask = {},
): Promise<Reply> => {
  const keyHeader = key === null ? {} : { 'x-svc-api-key': key ?? KEYS.owner };
  const response = await fetch(`${base}${path}`, {
    method,
    headers: { ...keyHeader, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    redirect: 'manual',
    ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  expectDocumented({ method, path, status: response.status, headers: response.headers, text });
  return { status: response.status, headers: response.headers, text, json: parseBody(text) };
};

/** The real gateway, with its peers faked at the gRPC level. */
export const startGateway = async (environment: Readonly<Record<string, string>> = {}, logger = testLogger()) => {
  const keys = makeTestKeys(['gateway']);
  const workflows = fakeWorkflows();
  const apps = fakeApps();
  const variables = fakeVariables();
  const dataTables = fakeDataTables();
  const deliveries = fakeDeliveries();
  const schedules = fakeSchedules();
  const listening = fakeListening();
  const executions = fakeExecutions();
  const events = fakeEvents();
  const retries = fakeRetries();
  const subscriptions = fakeSubscriptions();
  const credentials = fakeCredentials();
  const identity = fakeIdentity();
  const audit = { credentials: fakeAudit('credentials'), workflows: fakeAudit('workflows') };
  const peers = await Promise.all([
    startFakePeer({
      name: 'workflows',
      publicKeys: keys.publicKeys,
      services: [
        workflows.bound,
        apps.bound,
        variables.bound,
        dataTables.bound,
        deliveries.bound,
        schedules.bound,
        listening.bound,
        audit.workflows.bound,
      ],
    }),
    startFakePeer({
      name: 'executions',
      publicKeys: keys.publicKeys,
      services: [executions.bound, events.bound, retries.bound, subscriptions.bound],
    }),
    startFakePeer({
      name: 'credentials',
      publicKeys: keys.publicKeys,
      services: [credentials.bound, ...identity.bound, audit.credentials.bound],
    }),
  ]);
  const [workflowsTarget = '', executionsTarget = '', credentialsTarget = ''] = peers.map(({ target }) => target);
  const settings = config.load({
    PORT: '0',
    SHUTDOWN_DELAY_MS: '0',
    // Stopped within the time limit of a hook, even if a failed test left a request unanswered.
    DRAIN_MS: '5000',
    SERVICE_KEY: keys.privateKeyOf('gateway'),
    WORKFLOWS_TARGET: workflowsTarget,
    EXECUTIONS_TARGET: executionsTarget,
    CREDENTIALS_TARGET: credentialsTarget,
    ...environment,
  });
  let peersStopped: Promise<unknown> | undefined;
  const stopPeers = () => (peersStopped ??= Promise.all(peers.map((peer) => peer.stop())));
  const server = await createServer(settings, logger).catch(async (error: unknown) => {
    await stopPeers();
    throw error;
  });
  const base = `http://127.0.0.1:${server.port}`;
  let gatewayStopped: Promise<void> | undefined;
  const stopGateway = () => (gatewayStopped ??= server.stop());
  return {
    base,
    port: server.port,
    workflows,
    apps,
    variables,
    dataTables,
    deliveries,
    schedules,
    listening,
    executions,
    events,
    retries,
    subscriptions,
    credentials,
    identity,
    audit,
    api: (method: string, path: string, params?: Ask) => ask(base, method, `/api/v1${path}`, params),
    ask: (method: string, path: string, params?: Ask) => ask(base, method, path, { key: null, ...params }),
    stopGateway,
    stop: async () => {
      await stopGateway();
      await stopPeers();
    },
  };
};

export type TestGateway = Awaited<ReturnType<typeof startGateway>>;

/**
 * For gateways started in the body of a test: stops them after it, whatever its outcome. Must be called inside
 * `describe`.
 */
export const gatewaysOfEachTest = (): typeof startGateway => {
  const later = closeAfterEach();
  return async (environment, logger) => later(await startGateway(environment, logger), ({ stop }) => stop());
};
