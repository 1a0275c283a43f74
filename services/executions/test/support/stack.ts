import { ExecutionMode, ExecutionServiceService, StartWait, type ExecutionStart } from '@weft/proto/executions';
import { executionQueueNames, workQueuesOf, type ExecutionQueueNames } from '@weft/proto/execution-queue';
import { EventServiceService } from '@weft/proto/events';
import { EventSubscriptionServiceService } from '@weft/proto/event-subscriptions';
import { RetryServiceService } from '@weft/proto/retries';
import {
  EndState,
  RunnerServiceService,
  type ClaimedExecution,
  type NodeRun,
  type ReportEntry,
} from '@weft/proto/runner';
import { OfferServiceService } from '@weft/proto/offers';
import type { Principal, TokenSigner } from '@weft/service-kit/auth';
import { createCaller, type Caller } from '@weft/service-kit/grpc';
import { uuidv7 } from '@weft/service-kit/ids';
import type { Logger } from '@weft/service-kit/logging';
import { connectNats, closeNats, ensureWorkQueue, type NatsConnection } from '@weft/service-kit/nats';
import { pack } from '@weft/service-kit/packing';
import {
  dropDatabase,
  fakeProjects,
  makeTestKeys,
  testLogger,
  startFakePeer,
  testMongodbUri,
  testNatsUrl,
  uniqueName,
  until,
  type FakePeer,
  type FakeProjects,
} from '@weft/service-kit/testing';
import mongoose, { type Connection } from 'mongoose';
import { config } from '../../src/config';
import type { ExecutionRecord } from '../../src/domain/state/execution';
import type { Clock } from '../../src/domain/state/ports';
import type { ExecutionQueues } from '../../src/messaging/broker';
import { createServer } from '../../src/server';
import { toRecord } from '../../src/store/executions/stored-record';
import { createFakeWorkflows, fakeCredentials, type FakeWorkflow, type FakeWorkflows } from './fake-peers';
import { createFakeReceivers, type FakeReceivers } from '../notifications/fake-receivers';

export type { FakeWorkflow } from './fake-peers';

const keys = makeTestKeys(['gateway', 'workflows', 'executions', 'credentials', 'runner']);

const OF_RUNNERS = { ...RunnerServiceService, ...OfferServiceService };

/** One replica of the service. */
export interface Replica {
  readonly port: number;
  readonly executions: Caller<typeof ExecutionServiceService>['calls'];
  /** Including claims of offers: as those of a runner, they share its streams. */
  readonly runner: Caller<typeof OF_RUNNERS>['calls'];
  readonly retries: Caller<typeof RetryServiceService>['calls'];
  readonly events: Caller<typeof EventServiceService>['calls'];
  readonly subscriptions: Caller<typeof EventSubscriptionServiceService>['calls'];
  /** Calls of ExecutionService by another service, for itself. */
  readonly asService: (service: string) => Caller<typeof ExecutionServiceService>['calls'];
  /** Stops the service while its callers are still connected. */
  readonly drain: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** The real service with a separate database and stream, and with fake peers. */
export interface TestStack {
  readonly workflows: FakeWorkflows;
  readonly projects: FakeProjects;
  /** The receivers of notifications, as runners see them, and the signatures of the credentials service. */
  readonly receivers: FakeReceivers;
  readonly nats: NatsConnection;
  readonly queue: ExecutionQueueNames;
  readonly database: Connection;
  /** Starts another replica. A clock of the test also controls leases, unless another one is given. */
  readonly startReplica: (
    environment?: Readonly<Record<string, string>>,
    clock?: Clock,
    monotonic?: Clock,
    logger?: Logger,
  ) => Promise<Replica>;
  /** The stored document; undefined if there is none. */
  readonly stored: (executionId: string) => Promise<ExecutionRecord | undefined>;
  /** The stored document once no completion hook is due any more. */
  readonly completed: (executionId: string) => Promise<ExecutionRecord>;
  readonly stop: () => Promise<void>;
}

/** @param streams as for a caller: 0 makes separate calls */
const callersOf = (
  port: number,
  streams: number,
): Pick<Replica, 'executions' | 'runner' | 'retries' | 'events' | 'subscriptions' | 'asService'> & {
  close: () => void;
} => {
  const open: (() => void)[] = [];
  const callerOf = <
    Definition extends
      | typeof ExecutionServiceService
      | typeof RetryServiceService
      | typeof EventServiceService
      | typeof EventSubscriptionServiceService
      | typeof OF_RUNNERS,
  >(
    definition: Definition,
    sign: TokenSigner,
  ) => {
    const caller = createCaller(definition, {
      service: 'executions',
      target: `ipv4:127.0.0.1:${port}`,
      sign,
      capacity: 5_000,
      streams,
    });
    open.push(caller.close);
    return caller.calls;
  };
  const asService = (service: string) => callerOf(ExecutionServiceService, keys.signerOf(service));
  return {
    executions: asService('gateway'),
    runner: callerOf(OF_RUNNERS, keys.signerOf('runner')),
    retries: callerOf(RetryServiceService, keys.signerOf('gateway')),
    events: callerOf(EventServiceService, keys.signerOf('gateway')),
    subscriptions: callerOf(EventSubscriptionServiceService, keys.signerOf('gateway')),
    asService,
    close: () => open.forEach((close) => close()),
  };
};

/** For replicas whose clock the test does not control. */
export const LONG_LEASE_MS = '300000';

/** The queues as created on a single server. */
export const queuesOf = (names: ExecutionQueueNames): ExecutionQueues => ({
  queue: { ...names, replicas: 1 },
  overflow: { ...names.overflow, replicas: 1 },
  isolated: { ...names.isolated, replicas: 1 },
});

/** Creates them if missing. */
export const ensureQueues = async (nats: NatsConnection, names: ExecutionQueueNames): Promise<void> => {
  await Promise.all(Object.values(queuesOf(names)).map((queue) => ensureWorkQueue(nats, queue)));
};

/** Starts the peers; the test starts replicas. @param streams number of streams for the calls of the test */
export const startTestStack = async (streams = 0): Promise<TestStack> => {
  const workflows = createFakeWorkflows();
  const projects = fakeProjects();
  const receivers = createFakeReceivers();
  const peers: FakePeer[] = [
    await startFakePeer({ name: 'workflows', publicKeys: keys.publicKeys, services: [workflows.service] }),
    await startFakePeer({
      name: 'credentials',
      publicKeys: keys.publicKeys,
      services: [fakeCredentials(), projects.service, receivers.signing],
    }),
    await startFakePeer({ name: 'runner', publicKeys: keys.publicKeys, services: [receivers.sending] }),
  ];
  const databaseName = uniqueName('executions');
  const stream = uniqueName('EXECUTIONS');
  const queue = executionQueueNames(stream);
  const nats = await connectNats({ natsUrl: testNatsUrl() }, 'test', testLogger());
  // A replica that creates the stream considers the queue lost and republishes executions just started by tests.
  await ensureQueues(nats, queue);
  const database = await mongoose.createConnection(testMongodbUri(), { dbName: databaseName }).asPromise();
  const replicas: Replica[] = [];
  const startReplica: TestStack['startReplica'] = async (
    environment = {},
    clock,
    monotonic = clock,
    logger = testLogger(),
  ) => {
    const values = config.load({
      PORT: '0',
      LOG_LEVEL: 'silent',
      DRAIN_MS: '1000',
      SERVICE_KEY: keys.privateKeyOf('executions'),
      SERVICE_PUBLIC_KEYS: keys.publicKeys,
      MONGODB_URI: testMongodbUri(),
      MONGODB_DATABASE: databaseName,
      NATS_URL: testNatsUrl(),
      NATS_STREAM: stream,
      WORKFLOWS_TARGET: peers[0]?.target,
      CREDENTIALS_TARGET: peers[1]?.target,
      RUNNER_TARGET: peers[2]?.target,
      // No runner renews the claims of a test, however slow its machine is.
      ...(clock === undefined ? { LEASE_MS: LONG_LEASE_MS } : {}),
      ...environment,
    });
    const service = await createServer(values, logger, clock, monotonic);
    const { close, ...callers } = callersOf(service.port, streams);
    let stopped: Promise<void> | undefined;
    const drain = (): Promise<void> => (stopped ??= service.stop());
    const replica = { port: service.port, ...callers, drain, stop: () => (close(), drain()) };
    replicas.push(replica);
    return replica;
  };
  const stored: TestStack['stored'] = async (executionId) => {
    const document = await database.collection<ExecutionRecord>('executions').findOne({ _id: executionId });
    return document === null ? undefined : toRecord(document);
  };
  return {
    workflows: workflows.fake,
    projects,
    receivers: receivers.fake,
    nats,
    queue,
    database,
    startReplica,
    stored,
    completed: (executionId) =>
      until('the completion hooks have run', async () => {
        const record = await stored(executionId);
        return record?.finishedAt !== undefined && record.postRunActions.every(({ due }) => due === undefined)
          ? record
          : undefined;
      }),
    stop: async () => {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await Promise.all(peers.map((peer) => peer.stop()));
      await nats
        .jetstreamManager()
        .then((manager) => Promise.all(workQueuesOf(queue).map(({ stream }) => manager.streams.delete(stream))))
        .catch(() => undefined);
      await closeNats(nats);
      await database.close();
      await dropDatabase(databaseName);
    },
  };
};

/** The owner of the instance. */
export const OWNER: Principal = { userId: 'user-owner', role: 'owner' };

/** A start message. */
export const startOf = (workflow: FakeWorkflow, fields: Partial<ExecutionStart> = {}): ExecutionStart => ({
  workflowId: workflow.workflowId,
  input: Buffer.alloc(0),
  startNode: '',
  idempotencyKey: '',
  wait: StartWait.START_WAIT_UNSPECIFIED,
  waitMs: 0,
  usePinData: true,
  mode: ExecutionMode.EXECUTION_MODE_UNSPECIFIED,
  versionId: '',
  ownerId: '',
  ...fields,
});

/** A start message as the gateway sends it for a webhook. */
export const webhookStartOf = (workflow: FakeWorkflow, fields: Partial<ExecutionStart> = {}): ExecutionStart =>
  startOf(workflow, {
    mode: ExecutionMode.EXECUTION_MODE_WEBHOOK,
    versionId: workflow.versionId,
    ownerId: workflow.ownerId,
    startNode: 'Webhook',
    ...fields,
  });

/** Starts an execution for the owner. Its deadline is later than any time limit of the service. */
export const start = async (
  replica: Replica,
  workflow: FakeWorkflow,
  fields: Partial<ExecutionStart> = {},
): Promise<string> => {
  const { started } = await replica.executions.startExecution(
    { start: startOf(workflow, fields) },
    { principal: OWNER, deadlineMs: 60_000 },
  );
  if (started === undefined) throw new Error('StartExecution gave nothing.');
  return started.executionId;
};

/** Claims one execution. @throws Error if it is refused */
export const claim = async (
  replica: Replica,
  executionId: string,
  runnerId = 'runner-1',
  claimId: string = uuidv7(),
): Promise<ClaimedExecution> => {
  const { executions } = await replica.runner.claim({
    executionIds: [executionId],
    runnerId,
    claimId,
    knownVersionIds: [],
    engineStateVersions: { readable: [1] },
  });
  const [claimed] = executions;
  if (claimed === undefined) throw new Error(`The claim on ${executionId} was refused.`);
  return claimed;
};

/** Claims one execution for isolation. @throws Error if it is refused */
export const claimIsolated = async (
  replica: Replica,
  executionId: string,
  runnerId = 'runner-1',
): Promise<ClaimedExecution> => {
  const { executions } = await replica.runner.claim({
    executionIds: [executionId],
    runnerId,
    claimId: uuidv7(),
    knownVersionIds: [],
    engineStateVersions: { readable: [1] },
    isolated: true,
  });
  const [claimed] = executions;
  if (claimed === undefined) throw new Error(`The claim on ${executionId} was refused.`);
  return claimed;
};

/** Renews the lease of one execution, as its runner does as soon as it has started. */
export const heartbeat = (replica: Replica, executionId: string, fence: number) =>
  replica.runner.heartbeat({ runnerId: 'runner-1', held: [{ executionId, fence }] });

/** A node run message. */
export const nodeRun = (
  node: string,
  executionIndex: number,
  record: object = { data: { main: [[{ json: { node } }]] } },
  fields: Partial<NodeRun> = {},
): NodeRun => ({
  node,
  run: 0,
  executionIndex,
  failed: false,
  recordJson: Buffer.from(JSON.stringify(record)),
  chunkId: '',
  ...fields,
});

/** Node runs whose records are packed together. */
export const packedRuns = async (runs: readonly NodeRun[]): Promise<NodeRun[]> => {
  const { bytes } = await pack(Buffer.concat(runs.map(({ recordJson }) => recordJson)));
  return runs.map(({ recordJson, ...run }, index) => ({
    ...run,
    recordJson: Buffer.alloc(0),
    packedBytes: recordJson.length,
    ...(index === 0 ? { packedRecords: bytes } : {}),
  }));
};

/** Pieces of the JSON of run data, as they arrive. */
export const readDataParts = async ({ executions }: Replica, executionId: string): Promise<Buffer[]> => {
  const parts: Buffer[] = [];
  for await (const { jsonPart } of executions.readExecutionData({ executionId }, { principal: OWNER }))
    parts.push(jsonPart);
  return parts;
};

/** The data of a run. */
export const readData = async (replica: Replica, executionId: string) =>
  JSON.parse(Buffer.concat(await readDataParts(replica, executionId)).toString());

/** A report of success. */
export const reportOf = (executionId: string, fence: number, fields: Partial<ReportEntry> = {}): ReportEntry => ({
  executionId,
  fence,
  endState: EndState.END_STATE_SUCCESS,
  nodeRuns: [],
  lastNode: '',
  checkpoint: 0,
  ...fields,
});

/** A report of failure. */
export const failedReportOf = (executionId: string, fence: number, fields: Partial<ReportEntry> = {}): ReportEntry =>
  reportOf(executionId, fence, {
    endState: EndState.END_STATE_ERROR,
    error: {
      reason: 'NODE_ERROR',
      message: 'it broke',
      node: 'N',
      errorJson: '{"message":"it broke","name":"NodeError"}',
    },
    ...fields,
  });
