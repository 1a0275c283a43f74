import { encodeExecutionIds, executionQueueNames } from '@weft/proto/execution-queue';
import { EndState, HeartbeatVerdict, RunnerServiceService, Verdict, type CheckpointEntry, type ClaimedExecution, type HandBackEntry, type ReportEntry, type WaitEntry } from '@weft/proto/runner';
import { ServiceError, Unavailable } from '@weft/service-kit/errors';
import { bindService, type Handlers } from '@weft/service-kit/grpc';
import { uuidv7 } from '@weft/service-kit/ids';
import type { RunningService } from '@weft/service-kit/lifecycle';
import { connectNats, ensureWorkQueue, publishToQueue, type NatsConnection } from '@weft/service-kit/nats';
import { makeTestKeys, silentLogger, startFakeNeighbour, testNatsUrl, uniqueName, until, type FakeNeighbour } from '@weft/service-kit/testing';
import { createHash } from 'node:crypto';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { config } from '../src/config';
import { createServer } from '../src/server';

const keys = makeTestKeys(['runner', 'executions', 'credentials']);
const queue = { ...executionQueueNames(uniqueName('RUNNER').toUpperCase()), replicas: 1 };

const node = (name: string, kind: string, typeVersion: number, parameters: object) => ({ name, type: `x-nodes-base.${kind}`, typeVersion, position: [0, 0], parameters });
const definitionOf = (nodes: readonly { name: string }[]) => ({
  name: 'w', nodes, settings: { executionOrder: 'v1' },
  connections: Object.fromEntries(nodes.slice(1).map(({ name }, index) => [nodes[index]?.name, { main: [[{ node: name, type: 'main', index: 0 }]] }])),
});

/** The executions service as a runner sees it, with what it was told. */
class FakeExecutions {
  readonly queued = new Map<string, object>();
  readonly reports: ReportEntry[] = [];
  readonly checkpoints: CheckpointEntry[] = [];
  readonly handedBack: HandBackEntry[] = [];
  readonly waits: WaitEntry[] = [];
  readonly claims: string[][] = [];
  /** What each claim id has won. */
  /** Executions whose definition is damaged. */
  readonly unreadable = new Set<string>();
  readonly taken = new Set<string>();
  readonly won = new Map<string, readonly string[]>();
  readonly attempts: (number | undefined)[] = [];
  /** Answers to claims that get lost, after the claim was carried out. */
  lostAnswers = 0;
  /** Inputs that lie in a chunk, by execution; undefined: the chunk is gone. */
  readonly chunks = new Map<string, string | undefined>();
  /** Reads of chunks that are answered "unavailable" before one works. */
  chunksDown = 0;
  chunkReads = 0;
  isDown = false;
  refused = 0;
  heartbeat = HeartbeatVerdict.HEARTBEAT_VERDICT_HELD;
  /** Verdicts on single executions, before the one for all. */
  readonly verdicts = new Map<string, HeartbeatVerdict>();
  /** Executions that heartbeats asked about. */
  readonly asked: string[] = [];
  leaseMs = 30_000;
  /** What a claim carries beyond the usual. */
  carried: Partial<ClaimedExecution> = {};
  chunk = '';

  add(definition: object): string {
    const id = uuidv7();
    this.queued.set(id, definition);
    return id;
  }

  readonly #getChunk = async function* (this: FakeExecutions, { executionId, chunkId }: { readonly executionId: string; readonly chunkId: string }) {
    this.chunkReads += 1;
    if (this.chunkReads <= this.chunksDown) throw new Unavailable('a replica restarts');
    if (this.chunks.has(executionId)) {
      const input = this.chunks.get(executionId);
      if (input === undefined) throw new ServiceError({ reason: 'CHUNK_NOT_FOUND', kind: 'not-found', message: `The execution has no complete chunk ${chunkId}.` });
      yield { data: Buffer.from(input) };
      return;
    }
    yield { data: Buffer.from(this.chunk) };
  }.bind(this);

  readonly #readNodeRuns = async function* () {
    yield { nodeRuns: [{ node: 'Start', run: 0, executionIndex: 0, failed: false, recordJson: Buffer.alloc(0), chunkId: 'large' }] };
  };

  readonly handlers = (): Handlers<typeof RunnerServiceService> => {
    const refuse = () => Promise.reject(new ServiceError({ reason: 'NOT_USED', kind: 'internal', message: 'not used' }));
    const accepted = (entries: readonly unknown[]) => Promise.resolve({ verdicts: entries.map(() => Verdict.VERDICT_ACCEPTED) });
    return {
      claim: ({ executionIds, claimId, attempt, knownVersionIds }) => {
        this.attempts.push(attempt);
        if (this.isDown) {
          this.refused += 1;
          return Promise.reject(new Unavailable('down'));
        }
        this.claims.push(executionIds);
        const won = executionIds.filter((id) => this.queued.has(id) && (this.won.get(claimId)?.includes(id) ?? !this.taken.has(id)));
        this.won.set(claimId, won);
        for (const id of won) this.taken.add(id);
        if (this.lostAnswers > 0) {
          this.lostAnswers -= 1;
          return Promise.reject(new Unavailable('the answer is lost'));
        }
        const versions = won.filter((id) => !knownVersionIds.includes(id)).map((id) => ({ versionId: id, workflowId: 'w', ownerId: 'o', definitionJson: Buffer.from(this.unreadable.has(id) ? '{' : JSON.stringify(this.queued.get(id))) }));
        const executions = won.map((id) => ({ ...claimed(id), ...this.carried, ...(this.chunks.has(id) ? { inputJson: Buffer.alloc(0), inputChunkId: `0.input-${id}` } : {}) }));
        for (const id of won) this.queued.delete(id);
        return Promise.resolve({ executions, versions, refusedIds: executionIds.filter((id) => !won.includes(id)), aloneIds: [], leaseMs: this.leaseMs });
      },
      heartbeat: ({ held }) => {
        this.asked.push(...held.map(({ executionId }) => executionId));
        return Promise.resolve({ verdicts: held.map(({ executionId }) => this.verdicts.get(executionId) ?? this.heartbeat) });
      },
      checkpoint: ({ entries }) => { this.checkpoints.push(...entries); return accepted(entries); },
      report: ({ entries }) => { this.reports.push(...entries); return accepted(entries); },
      handBack: ({ entries }) => { this.handedBack.push(...entries); return accepted(entries); },
      wait: ({ entries }) => { this.waits.push(...entries); return accepted(entries); },
      respond: refuse, startChild: refuse, putChunk: refuse,
      getChunk: this.#getChunk,
      readNodeRuns: this.#readNodeRuns,
    };
  };
}

const claimed = (id: string): ClaimedExecution => ({
  executionId: id, fence: 1, workflowId: 'w', versionId: id, ownerId: 'o', mode: 1, startNode: 'Start', inputJson: Buffer.from('{"n":20}'), inputChunkId: '', ignorePinData: false, checkpoint: 0,
  engineState: Buffer.alloc(0), engineStateChunkId: '', resumeJson: Buffer.alloc(0), createdAt: new Date(), startedAt: new Date(), deadlineAt: undefined, responded: false, parentExecutionId: '',
});

const doubling = definitionOf([node('Start', 'manualTrigger', 1, {}), node('Set', 'set', 3.4, { mode: 'manual', options: {}, assignments: { assignments: [{ id: 'a', name: 'n', type: 'number', value: '={{ $json.n * 2 }}' }] } })]);

describe('a runner', () => {
  let executions: FakeExecutions;
  let neighbour: FakeNeighbour;
  let nats: NatsConnection;
  let runner: RunningService | undefined;
  let slow: Server;
  let slowUrl = '';
  let slowRequests = 0;
  let slowEnded = 0;

  const start = async (env: Record<string, string> = {}): Promise<void> => {
    const values = config.load({
      PORT: '0', SERVICE_KEY: keys.privateKeyOf('runner'), SERVICE_PUBLIC_KEYS: keys.publicKeys, NATS_URL: testNatsUrl(), NATS_STREAM: queue.stream,
      EXECUTIONS_TARGET: neighbour.target, CREDENTIALS_TARGET: 'ipv4:127.0.0.1:1', WORKFLOWS_TARGET: 'ipv4:127.0.0.1:1', OUTBOUND_ALLOW: '127.0.0.1', DRAIN_MS: '100', ...env,
    });
    runner = await createServer(values, silentLogger());
  };
  const announce = (...ids: string[]) => publishToQueue(nats, queue, encodeExecutionIds(ids), `${ids[0]}:${Math.random()}`);

  beforeAll(async () => {
    nats = await connectNats(testNatsUrl(), 'test', silentLogger());
    await ensureWorkQueue(nats, queue);
    // Never answers: a node that calls it is in the middle of its work until it is ended.
    slow = createHttpServer((_, response) => {
      slowRequests += 1;
      response.once('close', () => { slowEnded += 1; });
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    slowUrl = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`;
  });
  beforeEach(async () => {
    [slowRequests, slowEnded] = [0, 0];
    executions = new FakeExecutions();
    const rule = { services: ['runner'] };
    const handlers = executions.handlers();
    const access = { claim: rule, heartbeat: rule, checkpoint: rule, report: rule, respond: rule, wait: rule, handBack: rule, startChild: rule, putChunk: rule, getChunk: rule, readNodeRuns: rule };
    neighbour = await startFakeNeighbour({ name: 'executions', publicKeys: keys.publicKeys, services: [bindService(RunnerServiceService, handlers, access)] });
  });
  afterEach(async () => {
    await runner?.stop();
    runner = undefined;
    await neighbour.stop();
  });
  afterAll(async () => {
    slow.closeAllConnections();
    slow.close();
    const manager = await nats.jetstreamManager();
    await manager.streams.delete(queue.stream);
    await nats.close();
  });

  it('claims what the queue names, runs it and reports its node runs', async () => {
    await start();
    const id = executions.add(doubling);
    await announce(id);
    const [report] = await until('the report', () => executions.reports.length > 0 && executions.reports);
    expect(report).toMatchObject({ executionId: id, fence: 1, endState: EndState.END_STATE_SUCCESS, lastNode: 'Set' });
    const record: { data: { main: { json: unknown }[][] } } = JSON.parse(Buffer.from(report?.nodeRuns.find((run) => run.node === 'Set')?.recordJson ?? '').toString('utf8'));
    expect(record.data.main[0]?.[0]?.json).toEqual({ n: 40 });
  });

  it('parks a run that shows a page, and tells the browser that waits where the page is', async () => {
    await start();
    const id = executions.add(definitionOf([node('Start', 'formTrigger', 2.2, { formTitle: 'One', options: { path: 'p' } }), node('Page', 'form', 1, { formFields: { values: [{ fieldLabel: 'Age', fieldType: 'number' }] } })]));
    executions.carried = { mode: 3, inputJson: Buffer.from('[{"json":{"submittedAt":"2026-01-01T00:00:00.000Z","query":{},"body":{"Name":"Ada"}}}]') };
    await announce(id);
    const [wait] = await until('the wait', () => executions.waits.length > 0 && executions.waits);
    const told: { kind: string; token: string } = JSON.parse(wait?.answer?.body.toString() ?? '{}');
    expect(wait?.answer?.headers).toContainEqual({ name: 'content-type', value: 'application/vnd.weft.form+json' });
    expect([told.kind, createHash('sha256').update(told.token).digest('hex')]).toEqual(['page', wait?.resumeTokenHash]);
    expect(JSON.parse(wait?.resumeSettingsJson ?? '')).toMatchObject({ door: 'form', leadsOn: true, page: { title: 'One', fields: [{ name: 'Age', type: 'number' }] } });
  });

  it('goes on from where another runner stood, with records that are too large for a message', async () => {
    await start();
    const state = { version: 1, executionIndex: 1, ready: [{ node: 'Set', sources: [{ previousNode: 'Start' }] }], waiting: [], memories: {}, lastNode: 'Start' };
    executions.carried = { checkpoint: 1, engineState: Buffer.from(JSON.stringify(state)) };
    executions.chunk = JSON.stringify({ startTime: 1, executionTime: 1, executionIndex: 0, source: [], hints: [], executionStatus: 'success', data: { main: [[{ json: { n: 30 } }]] } });
    const id = executions.add(doubling);
    await announce(id);
    const [report] = await until('the report', () => executions.reports.length > 0 && executions.reports);
    expect(report?.nodeRuns.map((run) => run.node)).toEqual(['Set']);
    expect(Buffer.from(report?.nodeRuns[0]?.recordJson ?? '').toString('utf8')).toContain('"n":60');
  });

  it('goes on for another run that failed, as that one did, and tells where it would go on itself', async () => {
    await start();
    const state = { version: 1, executionIndex: 1, ready: [{ node: 'Stop', sources: [{ previousNode: 'Start' }], waited: true, since: 1 }], waiting: [], memories: {}, lastNode: 'Start' };
    executions.carried = { mode: 6, retriedMode: 3, checkpoint: 0, engineState: Buffer.from(JSON.stringify(state)) };
    executions.chunk = JSON.stringify({ startTime: 1, executionTime: 1, executionIndex: 0, source: [], hints: [], executionStatus: 'success', data: { main: [[{ json: { n: 30 } }]] } });
    const id = executions.add(definitionOf([node('Start', 'manualTrigger', 1, {}), node('Stop', 'stopAndError', 1, { errorMessage: '={{ $mode }} {{ $json.n }}' })]));
    await announce(id);
    const [report] = await until('the report', () => executions.reports.length > 0 && executions.reports);
    expect(report).toMatchObject({ endState: EndState.END_STATE_ERROR, failure: { message: 'production 30' }, engineStateRuns: 1 });
    expect(report?.nodeRuns.map((run) => run.node)).toEqual(['Stop']);
    expect(JSON.parse(Buffer.from(report?.engineState ?? '').toString('utf8'))).toMatchObject({ executionIndex: 1, lastNode: 'Start', ready: [{ node: 'Stop', sources: [{ previousNode: 'Start' }] }] });
  });

  it('lets go of what the service refuses, without running it', async () => {
    await start();
    const unknown = uuidv7();
    await announce(unknown);
    await until('the claim', () => executions.claims.some((ids) => ids.includes(unknown)));
    const id = executions.add(doubling);
    await announce(id);
    await until('the report of the other one', () => executions.reports.length > 0);
    expect(executions.reports.map((report) => report.executionId)).toEqual([id]);
  });

  it('takes a message again when the service could not be reached', async () => {
    executions.isDown = true;
    await start();
    const id = executions.add(doubling);
    await announce(id);
    await until('a claim in vain', () => executions.refused > 0);
    executions.isDown = false;
    await until('the report', () => executions.reports.some((report) => report.executionId === id), 15_000);
  });

  it('repeats a claim whose answer was lost under the same id, and runs what it had won', async () => {
    executions.lostAnswers = 2;
    await start();
    const ids = Array.from({ length: 5 }, () => executions.add(doubling));
    await announce(...ids);
    await until('the reports', () => executions.reports.length === ids.length);
    expect(new Set(executions.reports.map(({ executionId }) => executionId))).toEqual(new Set(ids));
    expect([executions.won.size, executions.attempts]).toEqual([1, [0, 1, 2]]);
  });

  it('ends the one run whose input cannot be found, and no other that was claimed with it', async () => {
    await start();
    const ids = Array.from({ length: 16 }, () => executions.add(doubling));
    const [broken = ''] = ids;
    executions.chunks.set(broken, undefined);
    await announce(...ids);
    await until('the reports', () => executions.reports.length === ids.length);
    const failed = executions.reports.filter(({ endState }) => endState !== EndState.END_STATE_SUCCESS);
    expect(failed).toMatchObject([{ executionId: broken, nodeRuns: [], failure: { reason: 'RUN_DATA_UNREADABLE', message: expect.stringContaining(`0.input-${broken}`) } }]);
    expect(executions.claims).toHaveLength(1);
  });

  it('ends the one run whose definition cannot be read, and no other that was claimed with it', async () => {
    await start();
    const ids = Array.from({ length: 6 }, () => executions.add(doubling));
    executions.unreadable.add(ids[0] ?? '');
    await announce(...ids);
    await until('the reports', () => executions.reports.length === ids.length);
    expect(executions.reports.filter(({ failure }) => failure !== undefined)).toMatchObject([{ executionId: ids[0], failure: { reason: 'RUN_DATA_UNREADABLE' } }]);
  });

  it('reads inputs again while the service is away, with its claims held', async () => {
    executions.chunksDown = 4;
    await start();
    const ids = Array.from({ length: 4 }, () => executions.add(doubling));
    for (const id of ids) executions.chunks.set(id, '{"n":21}');
    await announce(...ids);
    await until('the reports', () => executions.reports.length === ids.length);
    expect(executions.reports.map(({ endState }) => endState)).toEqual(ids.map(() => EndState.END_STATE_SUCCESS));
    expect(executions.claims).toHaveLength(1);
  });

  it('runs no more than it has slots, however many ids a message brings, and loses none of the rest', async () => {
    let open = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    const gate = createHttpServer((_, response) => {
      open += 1;
      most = Math.max(most, open);
      waiting.push(() => {
        open -= 1;
        response.end('{}');
      });
    });
    await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(gate.address() as AddressInfo).port}/`;
    const calling = definitionOf([node('Start', 'manualTrigger', 1, {}), node('Call', 'httpRequest', 4.2, { url, options: {} })]);
    await start({ RUNNER_SLOTS: '3' });
    const ids = Array.from({ length: 14 }, () => executions.add(calling));
    await announce(...ids);
    await until('the slots are full', () => open === 3);
    await until('all have run', () => {
      // One at a time, so that whoever took too many would be seen.
      if (executions.claims.flat().length >= 3) waiting.shift()?.();
      return executions.reports.length === ids.length;
    }, 20_000);
    expect(most).toBe(3);
    gate.close();
  }, 30_000);

  it('drops a run that it no longer holds, and reports nothing of it', async () => {
    executions.leaseMs = 600;
    await start();
    const id = executions.add(definitionOf([node('Start', 'manualTrigger', 1, {}), node('Call', 'httpRequest', 4.2, { url: slowUrl, options: {} })]));
    await announce(id);
    await until('the request', () => slowRequests > 0);
    executions.heartbeat = HeartbeatVerdict.HEARTBEAT_VERDICT_LOST;
    const other = executions.add(doubling);
    executions.leaseMs = 30_000;
    await until('the claim to be gone', async () => { await announce(other); return executions.reports.length > 0; });
    await runner?.stop();
    runner = undefined;
    expect(executions.reports.map((report) => report.executionId)).toEqual([other]);
    expect(executions.handedBack).toEqual([]);
  });

  it('asks about a run at once when it hears that it was cancelled, ends its request, and runs on what was not', async () => {
    await start();
    const call = definitionOf([node('Start', 'manualTrigger', 1, {}), node('Call', 'httpRequest', 4.2, { url: slowUrl, options: {} })]);
    const [cancelled, other] = [executions.add(call), executions.add(call)];
    for (const id of [cancelled, other]) await announce(id);
    await until('both requests', () => slowRequests === 2);
    executions.verdicts.set(cancelled, HeartbeatVerdict.HEARTBEAT_VERDICT_CANCELLED);
    nats.publish(queue.stoppedSubject, encodeExecutionIds([cancelled, other, uuidv7()]));
    await until('one request to be ended', () => slowEnded === 1);
    expect(executions.asked.sort()).toEqual([cancelled, other].sort());
    expect([executions.reports, slowEnded]).toEqual([[], 1]);
  }, 30_000);

  it('hands back what it cannot finish when it is told to stop, ready to go on from there', async () => {
    await start();
    const id = executions.add(definitionOf([node('Start', 'manualTrigger', 1, {}), node('Call', 'httpRequest', 4.2, { url: slowUrl, options: {} })]));
    await announce(id);
    await until('the request', () => slowRequests > 0);
    await runner?.stop();
    runner = undefined;
    expect(executions.handedBack).toMatchObject([{ executionId: id, fence: 1, checkpoint: 0 }]);
    const state: { ready: { node: string }[] } = JSON.parse(Buffer.from(executions.handedBack[0]?.engineState ?? '').toString('utf8'));
    expect(state.ready.map((entry) => entry.node)).toEqual(['Call']);
    expect(executions.handedBack[0]?.nodeRuns.map((run) => run.node)).toEqual(['Start']);
  }, 30_000);
});
