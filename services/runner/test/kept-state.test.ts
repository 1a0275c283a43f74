import { encodeExecutionIds } from '@weft/proto/execution-queue';
import {
  EndState,
  HeartbeatOutcome,
  RunnerServiceService,
  WriteOutcome,
  type CheckpointEntry,
  type ClaimedExecution,
  type ReportEntry,
} from '@weft/proto/runner';
import { VariableServiceService } from '@weft/proto/variables';
import { PutOutcome, StateServiceService, type PutStateRequest } from '@weft/proto/workflow-state';
import { ServiceError, Unavailable } from '@weft/service-kit/errors';
import { bindService, type Handlers } from '@weft/service-kit/grpc';
import { uuidv7 } from '@weft/service-kit/ids';
import type { RunningService } from '@weft/service-kit/lifecycle';
import { closeNats, connectNats, publishToQueue, type NatsConnection } from '@weft/service-kit/nats';
import { makeTestKeys, testLogger, startFakePeer, testNatsUrl, until, type FakePeer } from '@weft/service-kit/testing';
import { config } from '../src/config';
import { createServer } from '../src/server';
import { deleteQueues, openQueues, queuesNamed } from './queues';
import { runnerEnv } from './runner-env';

const keys = makeTestKeys(['runner', 'executions', 'credentials', 'workflows']);
const queue = queuesNamed('KEPT');
const TRIGGER = 2;

const refuse = (): Promise<never> =>
  Promise.reject(new ServiceError({ reason: 'NOT_USED', kind: 'internal', message: 'not used' }));
const runnerOnly = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, { services: ['runner'] }]));

/** The workflows service as runners see it: one entry, whose claim can be lost. */
class FakeWorkflows {
  version = 0;
  valueJson = '';
  readonly operations = new Set<string>();
  readonly puts: PutStateRequest[] = [];
  variablesRead = 0;
  down = 0;
  isLost = false;

  readonly #check = (): void => {
    if (this.isLost)
      throw new ServiceError({
        reason: 'CLAIM_LOST',
        kind: 'precondition',
        message: 'Another runner holds the execution.',
      });
    if (this.down === 0) return;
    this.down -= 1;
    throw new Unavailable('It restarts.');
  };

  readonly state: Handlers<typeof StateServiceService> = {
    getState: async () => {
      this.#check();
      return { entry: { version: this.version, valueJson: this.valueJson } };
    },
    putState: async (request) => {
      this.#check();
      const entry = { version: this.version, valueJson: this.valueJson };
      if (this.operations.has(request.operationId)) return { outcome: PutOutcome.PUT_OUTCOME_REPEATED, entry };
      if (request.expectedVersion !== this.version) return { outcome: PutOutcome.PUT_OUTCOME_CONFLICT, entry };
      this.puts.push(request);
      this.operations.add(request.operationId);
      this.version += 1;
      this.valueJson = request.valueJson;
      return { outcome: PutOutcome.PUT_OUTCOME_WRITTEN, entry: { version: this.version, valueJson: '' } };
    },
  };

  readonly variables: Handlers<typeof VariableServiceService> = {
    listVariables: refuse,
    getVariable: refuse,
    createVariable: refuse,
    replaceVariable: refuse,
    deleteVariable: refuse,
    readVariables: async () => {
      this.variablesRead += 1;
      this.#check();
      return { values: { greeting: 'hello' } };
    },
  };
}

describe('a runner whose nodes store data', () => {
  const definitions = new Map<string, object>();
  const reports: ReportEntry[] = [];
  const checkpoints: CheckpointEntry[] = [];
  const fences = new Map<string, number>();
  let workflows: FakeWorkflows;
  let peers: FakePeer[];
  let nats: NatsConnection;
  let runner: RunningService;

  const claimed = (executionId: string): ClaimedExecution => ({
    executionId,
    fence: fences.get(executionId) ?? 1,
    workflowId: 'w',
    versionId: executionId,
    ownerId: 'o',
    mode: TRIGGER,
    startNode: 'Start',
    input: Buffer.from('{"id":7}'),
    inputChunkId: '',
    usePinData: true,
    checkpoint: 0,
    engineState: Buffer.alloc(0),
    engineStateChunkId: '',
    resume: Buffer.alloc(0),
    createdAt: new Date(),
    startedAt: new Date(),
    deadlineAt: undefined,
    responded: false,
    parentExecutionId: '',
  });
  const executions = (): Handlers<typeof RunnerServiceService> => {
    const accepted = (entries: readonly unknown[]) =>
      Promise.resolve({ outcomes: entries.map(() => WriteOutcome.WRITE_OUTCOME_APPLIED) });
    const none = async function* (): AsyncGenerator<never> {
      /** Nothing to read. */
    };
    return {
      claim: ({ executionIds }) =>
        Promise.resolve({
          executions: executionIds.map(claimed),
          refusedIds: [],
          isolatedIds: [],
          unreadableIds: [],
          leaseMs: 30_000,
          versions: executionIds.map((id) => ({
            versionId: id,
            workflowId: 'w',
            ownerId: 'o',
            definition: Buffer.from(JSON.stringify(definitions.get(id))),
          })),
        }),
      heartbeat: ({ held }) => Promise.resolve({ outcomes: held.map(() => HeartbeatOutcome.HEARTBEAT_OUTCOME_HELD) }),
      persist: ({ entries }) => accepted(entries),
      checkpoint: ({ entries }) => {
        checkpoints.push(...entries);
        return accepted(entries);
      },
      report: ({ entries }) => {
        reports.push(...entries);
        return accepted(entries);
      },
      release: ({ entries }) => accepted(entries),
      respond: refuse,
      wait: refuse,
      startChild: refuse,
      acquireSlot: refuse,
      findFirstResult: refuse,
      countModelTokens: refuse,
      endRunner: () => Promise.resolve({}),
      putChunk: refuse,
      getChunk: none,
      readNodeRuns: none,
    };
  };
  /** Runs a node behind a trigger; repeated with the same id, as after a crash. */
  const run = async (kind: string, parameters: object, id: string = uuidv7(), typeVersion = 2) => {
    definitions.set(id, {
      name: 'w',
      settings: {},
      connections: { Start: { main: [[{ node: 'Node', type: 'main', index: 0 }]] } },
      nodes: [
        { name: 'Start', type: 'x-nodes-base.manualTrigger', position: [0, 0], parameters: {} },
        { name: 'Node', type: `x-nodes-base.${kind}`, typeVersion, position: [0, 0], parameters },
      ],
    });
    const before = reports.filter((one) => one.executionId === id).length;
    await publishToQueue(nats, queue, encodeExecutionIds([id]), `${id}:${before}`);
    const report = await until('the report', () => reports.filter((one) => one.executionId === id)[before]);
    const runs = [...checkpoints.filter((one) => one.executionId === id), report].flatMap((one) => one.nodeRuns);
    const record: {
      readonly data?: { readonly main: readonly (readonly { readonly json: unknown }[])[] };
      readonly error?: { readonly message: string };
    } = JSON.parse(Buffer.from(runs.filter(({ node }) => node === 'Node').at(-1)?.recordJson ?? '{}').toString('utf8'));
    return {
      endState: report.endState,
      json: record.data?.main?.[0]?.map((item) => item.json),
      error: record.error?.message,
    };
  };
  const COUNTER = { jsCode: 'const s = $getWorkflowStaticData("global"); s.n = (s.n ?? 0) + 1; return { n: s.n }' };
  const SEEN = { operation: 'removeItemsSeenInPreviousExecutions', dedupeValue: '={{ $json.id }}' };

  beforeEach(async () => {
    workflows = new FakeWorkflows();
    nats = await connectNats({ natsUrl: testNatsUrl() }, 'test', testLogger());
    await openQueues(nats, queue);
    const all = executions();
    const access = {
      claim: {},
      heartbeat: {},
      persist: {},
      checkpoint: {},
      report: {},
      release: {},
      respond: {},
      wait: {},
      startChild: {},
      acquireSlot: {},
      findFirstResult: {},
      countModelTokens: {},
      endRunner: {},
      putChunk: {},
      getChunk: {},
      readNodeRuns: {},
      ...runnerOnly(['claim', 'heartbeat', 'checkpoint', 'report', 'release', 'readNodeRuns']),
    };
    const rule = { services: ['runner'] };
    peers = await Promise.all([
      startFakePeer({
        name: 'executions',
        publicKeys: keys.publicKeys,
        services: [bindService(RunnerServiceService, all, access)],
      }),
      startFakePeer({
        name: 'workflows',
        publicKeys: keys.publicKeys,
        services: [
          bindService(StateServiceService, workflows.state, { getState: rule, putState: rule }),
          bindService(VariableServiceService, workflows.variables, {
            listVariables: {},
            getVariable: {},
            createVariable: {},
            replaceVariable: {},
            deleteVariable: {},
            readVariables: rule,
          }),
        ],
      }),
    ]);
    runner = await createServer(
      config.load({
        ...runnerEnv({ keys, queue, executions: peers[0]?.target ?? '' }),
        WORKFLOWS_TARGET: peers[1]?.target ?? '',
        RUNNER_SANDBOXES: '1',
      }),
      testLogger(),
    );
  });
  afterEach(async () => {
    await runner.stop();
    await Promise.all(peers.map((peer) => peer.stop()));
    await deleteQueues(nats, queue);
    await closeNats(nats);
  });

  it('writes with its claim', async () => {
    const id = uuidv7();
    fences.set(id, 5);
    expect(await run('code', COUNTER, id)).toMatchObject({ endState: EndState.END_STATE_SUCCESS, json: [{ n: 1 }] });
    expect(workflows.puts).toMatchObject([
      { executionId: id, fence: 5, name: 'static', expectedVersion: 0, operationId: expect.stringContaining(id) },
    ]);
    expect(await run('code', COUNTER)).toMatchObject({ json: [{ n: 2 }] });
  });

  it.each([
    ['code', COUNTER, [{ n: 1 }]],
    ['removeDuplicates', SEEN, [{ id: 7 }]],
  ])(
    'gets the same result from %s when it resumes a run that was interrupted after the write',
    async (kind, parameters, json) => {
      const id = uuidv7();
      expect((await run(kind, parameters, id)).json).toEqual(json);
      fences.set(id, 2);
      expect((await run(kind, parameters, id)).json).toEqual(json);
      expect(workflows.puts).toHaveLength(1);
    },
  );

  it('drops events in the next run that it found in this one', async () => {
    expect((await run('removeDuplicates', SEEN)).json).toEqual([{ id: 7 }]);
    expect((await run('removeDuplicates', SEEN)).json).toEqual([]);
  });

  it('writes nothing once it has lost the run, and reports why the node failed', async () => {
    workflows.isLost = true;
    expect(await run('removeDuplicates', SEEN)).toMatchObject({
      endState: EndState.END_STATE_ERROR,
      error: 'Another runner holds the execution.',
    });
    expect(workflows.version).toBe(0);
  });

  it('waits for a workflows service that restarts', async () => {
    workflows.down = 2;
    expect(await run('removeDuplicates', SEEN)).toMatchObject({
      endState: EndState.END_STATE_SUCCESS,
      json: [{ id: 7 }],
    });
    workflows.down = 1;
    expect(await run('code', { jsCode: 'return { said: $vars.greeting }' })).toMatchObject({
      json: [{ said: 'hello' }],
    });
  });

  it('reads variables once for runs that use them, and for no others', async () => {
    await run('code', { jsCode: 'return { n: 1 }' });
    expect(workflows.variablesRead).toBe(0);
    await run('code', { jsCode: 'return { a: $vars.greeting, b: $vars.none ?? null }' });
    expect(workflows.variablesRead).toBe(1);
  });
});
