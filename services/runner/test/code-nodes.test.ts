import { encodeExecutionIds } from '@weft/proto/execution-queue';
import {
  EndState,
  HeartbeatOutcome,
  RunnerServiceService,
  WriteOutcome,
  type ClaimedExecution,
  type NodeRun,
  type ReportEntry,
} from '@weft/proto/runner';
import { ServiceError } from '@weft/service-kit/errors';
import { bindService, type Handlers } from '@weft/service-kit/grpc';
import { uuidv7 } from '@weft/service-kit/ids';
import type { RunningService } from '@weft/service-kit/lifecycle';
import { connectNats, publishToQueue, type NatsConnection } from '@weft/service-kit/nats';
import { makeTestKeys, testLogger, startFakePeer, testNatsUrl, until, type FakePeer } from '@weft/service-kit/testing';
import { readdirSync, readFileSync } from 'node:fs';
import { config } from '../src/config';
import { createServer } from '../src/server';
import { deleteQueues, openQueues, queuesNamed } from './queues';

const keys = makeTestKeys(['runner', 'executions', 'credentials']);
const queue = queuesNamed('CODE');

const definitionOf = (kind: string, parameters: object): object => ({
  name: 'w',
  settings: {},
  connections: { Start: { main: [[{ node: 'Node', type: 'main', index: 0 }]] } },
  nodes: [['Start', 'manualTrigger', {}] as const, ['Node', kind, parameters] as const].map(([name, type, own]) => ({
    name,
    type: `x-nodes-base.${type}`,
    position: [0, 0],
    parameters: own,
  })),
});

const claimed = (executionId: string): ClaimedExecution => ({
  executionId,
  fence: 1,
  workflowId: 'w',
  versionId: executionId,
  ownerId: 'o',
  mode: 1,
  startNode: 'Start',
  input: Buffer.from('{"n":20}'),
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

/** Running programs of the sandbox that a process, by default this one, has started. */
const sandboxes = (parent = String(process.pid)): string[] =>
  readdirSync('/proc')
    .filter((id) => /^\d+$/.test(id))
    .filter((id) => {
      try {
        return (
          readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('/sandbox/dist/src/child/') &&
          readFileSync(`/proc/${id}/status`, 'utf8').includes(`\nPPid:\t${parent}\n`)
        );
      } catch {
        // Exited in the meantime.
        return false;
      }
    });

describe('a runner with code to run', () => {
  const definitions = new Map<string, object>();
  const reports: ReportEntry[] = [];
  const told: NodeRun[] = [];
  let peer: FakePeer;
  let nats: NatsConnection;
  let runner: RunningService;

  const handlers = (): Handlers<typeof RunnerServiceService> => {
    const refuse = (): Promise<never> =>
      Promise.reject(new ServiceError({ reason: 'NOT_USED', kind: 'internal', message: 'not used' }));
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
      persist: ({ entries }) => Promise.resolve({ outcomes: entries.map(() => WriteOutcome.WRITE_OUTCOME_APPLIED) }),
      // A node that takes a second, as the first one of a sandbox may, is reported here.
      checkpoint: ({ entries }) => {
        told.push(...entries.flatMap(({ nodeRuns }) => nodeRuns));
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
  const run = async (kind: string, parameters: object): Promise<{ report: ReportEntry; record: string }> => {
    const id = uuidv7();
    definitions.set(id, definitionOf(kind, parameters));
    await publishToQueue(nats, queue, encodeExecutionIds([id]), id);
    const report = await until('the report', () => reports.find((one) => one.executionId === id));
    return {
      report,
      record: Buffer.from(
        [...told.splice(0), ...report.nodeRuns].find((one) => one.node === 'Node')?.recordJson ?? '',
      ).toString('utf8'),
    };
  };

  beforeAll(async () => {
    nats = await connectNats({ natsUrl: testNatsUrl() }, 'test', testLogger());
    await openQueues(nats, queue);
    const rule = { services: ['runner'] };
    const all = handlers();
    const access = {
      claim: rule,
      heartbeat: rule,
      persist: rule,
      checkpoint: rule,
      report: rule,
      respond: rule,
      wait: rule,
      release: rule,
      startChild: rule,
      acquireSlot: rule,
      findFirstResult: rule,
      countModelTokens: rule,
      endRunner: rule,
      putChunk: rule,
      getChunk: rule,
      readNodeRuns: rule,
    };
    peer = await startFakePeer({
      name: 'executions',
      publicKeys: keys.publicKeys,
      services: [bindService(RunnerServiceService, all, access)],
    });
    runner = await createServer(
      config.load({
        PORT: '0',
        SERVICE_KEY: keys.privateKeyOf('runner'),
        SERVICE_PUBLIC_KEYS: keys.publicKeys,
        NATS_URL: testNatsUrl(),
        NATS_STREAM: queue.stream,
        EXECUTIONS_TARGET: peer.target,
        CREDENTIALS_TARGET: 'ipv4:127.0.0.1:1',
        WORKFLOWS_TARGET: 'ipv4:127.0.0.1:1',
        DRAIN_MS: '100',
        RUNNER_SANDBOXES: '1',
        RUNNER_CODE_TIMEOUT_MS: '500',
      }),
      testLogger(),
    );
  });
  afterAll(async () => {
    await runner.stop();
    await peer.stop();
    await deleteQueues(nats, queue);
    await nats.close();
    expect(sandboxes()).toEqual([]);
  });

  it('has a sandbox ready for code and then one for the next owner, and stores the results of code', async () => {
    const [server] = sandboxes();
    expect([sandboxes(), sandboxes(server)].map(({ length }) => length)).toEqual([1, 1]);
    const { report, record } = await run('code', {
      jsCode: 'console.log("seen", $json.n); return [{ json: { n: $json.n * 2 } }]',
    });
    expect(report.endState).toBe(EndState.END_STATE_SUCCESS);
    expect(JSON.parse(record)).toMatchObject({ console: ['seen 20'], data: { main: [[{ json: { n: 40 } }]] } });
    await until('a sandbox for the next owner', () => sandboxes(server).length === 2);
  });

  it('stops code that exceeds its time limit, and continues with the next', async () => {
    const { report, record } = await run('code', { jsCode: 'while (true) {}' });
    expect(report.endState).toBe(EndState.END_STATE_ERROR);
    expect(JSON.parse(record)).toMatchObject({
      executionStatus: 'error',
      error: { message: 'The code exceeded its time limit' },
    });
    expect((await run('code', { jsCode: 'return [{ n: 1 }]' })).report.endState).toBe(EndState.END_STATE_SUCCESS);
  });

  it('searches strings with regular expressions that may not terminate', async () => {
    const value = '={{ "ab".repeat(20000).replace(/(?<=(a+)+)b(?=$)/, "!").slice(-2) }}';
    const { record } = await run('set', {
      assignments: { assignments: [{ id: 'a', name: 'end', type: 'string', value }] },
      options: {},
    });
    expect(JSON.parse(record)).toMatchObject({ data: { main: [[{ json: { end: 'a!' } }]] } });
  });
});
