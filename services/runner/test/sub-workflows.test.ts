import { encodeExecutionIds } from '@weft/proto/execution-queue';
import { EndState, HeartbeatOutcome, RunnerServiceService, type ClaimedExecution } from '@weft/proto/runner';
import { bindService } from '@weft/service-kit/grpc';
import type { RunningService } from '@weft/service-kit/lifecycle';
import { closeNats, connectNats, publishToQueue, type NatsConnection } from '@weft/service-kit/nats';
import { testLogger, startFakePeer, testNatsUrl, until, type FakePeer } from '@weft/service-kit/testing';
import { createServer as createHttpServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { config } from '../src/config';
import type { RunnerLimits } from '../src/limits';
import { createServer } from '../src/server';
import {
  calling,
  CHILD,
  definitionOf,
  ended,
  FakeExecutions,
  keys,
  node,
  queue,
  request,
  versionOf,
} from './calling-runs';
import { deleteQueues, openQueues } from './queues';
import { noPools, runnerEnv } from './runner-env';

describe('a run that calls another workflow', () => {
  let executions: FakeExecutions;
  let peer: FakePeer;
  let nats: NatsConnection;
  let server: Server;
  let url = '';
  /** Requests without a response yet. */
  let open: ServerResponse[] = [];
  const runners: RunningService[] = [];

  const start = async (
    env: Record<string, string> = {},
    limits: Partial<RunnerLimits> = {},
  ): Promise<RunningService> => {
    const values = config.load({
      ...runnerEnv({ keys, queue, executions: peer.target }),
      RUNNER_SLOTS: '1',
      OUTBOUND_ALLOW: '127.0.0.1',
      ...env,
    });
    const runner = await createServer(values, testLogger(), { openPools: noPools, limits });
    runners.push(runner);
    return runner;
  };
  const begin = async (definition: object, fields: Partial<ClaimedExecution> = {}): Promise<string> => {
    const id = executions.add(definition, fields);
    await publishToQueue(nats, queue, encodeExecutionIds([id]), id);
    return id;
  };
  const answerAll = (): void => {
    for (const response of open.splice(0)) response.setHeader('content-type', 'application/json').end('{"asked":true}');
  };
  const reportOf = (id: string) =>
    until(`the report of ${id}`, () => executions.reports.find(({ executionId }) => executionId === id), 15_000);
  /** JSON of the output of the calling node, once its run has ended. */
  const given = async (id: string) => {
    await reportOf(id);
    const record: { data: { main: { json: unknown }[][] } } = JSON.parse(
      executions.nodeRuns.find((one) => one.executionId === id && one.node === 'Call')?.recordJson.toString() ?? '',
    );
    return record.data.main[0]?.map(({ json }) => json);
  };

  beforeAll(async () => {
    nats = await connectNats({ natsUrl: testNatsUrl() }, 'test', testLogger());
    await openQueues(nats, queue);
    server = createHttpServer((_, response) => open.push(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  beforeEach(async () => {
    open = [];
    executions = new FakeExecutions();
    const rule = { services: ['runner'] };
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
      services: [bindService(RunnerServiceService, executions.handlers(), access)],
    });
  });
  afterEach(async () => {
    await Promise.all(runners.splice(0).map((runner) => runner.stop()));
    await peer.stop();
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await deleteQueues(nats, queue);
    await closeNats(nats);
  });

  it('runs called workflows in its slot, each with a separate claim, also in nested calls', async () => {
    await start();
    executions.leaseMs = 900;
    executions.answer = ({ parentExecutionId }) =>
      parentExecutionId === 'outer'
        ? executions.claimed('inner', request(url))
        : executions.claimed('outer', {
            ...calling(),
            nodes: [
              node('Called', 'executeWorkflowTrigger', 1, {}),
              node('Call', 'executeWorkflow', 1.2, { workflowId: 'w3' }),
            ],
            connections: { Called: { main: [[{ node: 'Call', type: 'main', index: 0 }]] } },
          });
    const id = await begin(calling());
    await until('the request', () => open.length > 0);
    await until('all three are renewed', () => [id, 'outer', 'inner'].every((one) => executions.renewed.has(one)));
    answerAll();
    expect(await given(id)).toEqual([{ asked: true }]);
    expect(executions.reports.map(({ executionId, endState }) => [executionId, endState])).toEqual([
      ['inner', EndState.END_STATE_SUCCESS],
      ['outer', EndState.END_STATE_SUCCESS],
      [id, EndState.END_STATE_SUCCESS],
    ]);
    expect(executions.calls[0]).toMatchObject({
      parentExecutionId: id,
      fence: 1,
      node: 'Call',
      run: 0,
      item: 0,
      attempt: 0,
      workflowId: 'w2',
      detached: false,
    });
    expect(JSON.parse(executions.calls[0]?.input.toString() ?? '')).toEqual([{ json: { n: 20 } }]);
  });

  it('links items of the result through the called workflow, and reports the links to the service', async () => {
    await start();
    const input = Buffer.from('[{"json":{"n":1}},{"json":{"n":3}},{"json":{"n":2}}]');
    const sorting = definitionOf([
      node('Called', 'executeWorkflowTrigger', 1, {}),
      node('Sort', 'sort', 1, { sortFieldsUi: { sortField: [{ fieldName: 'n', order: 'descending' }] } }),
      node('Limit', 'limit', 1, { maxItems: 2 }),
    ]);
    executions.answer = () => {
      const answer = executions.claimed('sorted', sorting);
      if (answer.next?.$case === 'claimed') answer.next.value.input = input;
      return answer;
    };
    const id = await begin(calling(), { input });
    const pairs = async () => {
      await reportOf(id);
      const record = executions.nodeRuns.find((one) => one.executionId === id && one.node === 'Call');
      const { data }: { data: { main: { pairedItem: unknown }[][] } } = JSON.parse(record?.recordJson.toString() ?? '');
      return data.main[0]?.map(({ pairedItem }) => pairedItem);
    };
    expect(await pairs()).toEqual([{ item: 1 }, { item: 2 }]);
    const { resultOrigins } = await reportOf('sorted');
    expect([0, 4].map((at) => resultOrigins?.readInt32LE(at))).toEqual([1, 2]);
    expect(resultOrigins).toHaveLength(8);
    expect((await reportOf(id)).resultOrigins).toBeUndefined();
  });

  it('waits for a child that another runner has, and lets that one run it meanwhile', async () => {
    await Promise.all([start(), start()]);
    let child = '';
    executions.answer = ({ childExecutionId }) =>
      childExecutionId === undefined
        ? { childExecutionId: child, next: { $case: 'claimedByOther', value: true } }
        : {
            childExecutionId,
            next: { $case: 'ended', value: { ...ended(), id: childExecutionId } },
            resultJson: Buffer.from('[{"json":{"x":1}},{"json":{"x":2}}]'),
          };
    child = await begin(request(url), { startNode: 'Called' });
    await until('the child is under way', () => open.length > 0);
    const id = await begin(calling());
    const pause = await until('the wait', () => executions.waits.find(({ executionId }) => executionId === id));
    expect(pause).toMatchObject({ childExecutionId: child, checkpoint: 0, lastNode: 'Call' });
    answerAll();
    await reportOf(child);
    executions.queued.set(id, {
      definition: calling(),
      fields: { fence: 2, checkpoint: 1, engineState: pause.engineState, resume: Buffer.from('{"kind":"child"}') },
    });
    await publishToQueue(nats, queue, encodeExecutionIds([id]), `${id}-2`);
    expect(await given(id)).toEqual([{ x: 1 }, { x: 2 }]);
    expect(executions.calls.at(-1)).toMatchObject({ childExecutionId: child, fence: 2 });
  });

  it('lets the called one continue when the claim of its caller is lost, and reports only that', async () => {
    await start();
    executions.leaseMs = 900;
    executions.answer = () => executions.claimed('kept', request(url));
    const id = await begin(calling());
    await until('the request', () => open.length > 0);
    executions.lost.set(id, HeartbeatOutcome.HEARTBEAT_OUTCOME_LOST);
    executions.renewed.clear();
    // It is no longer renewed once it was dropped, while the other one is.
    await until('only the child is renewed', () => {
      const isOver = executions.renewed.has('kept') && !executions.renewed.has(id);
      executions.renewed.clear();
      return isOver;
    });
    answerAll();
    await reportOf('kept');
    expect(executions.reports.map(({ executionId }) => executionId)).toEqual(['kept']);
    expect(executions.waits).toEqual([]);
  });

  it('aborts the called one when the caller is cancelled, and reports neither', async () => {
    const runner = await start();
    executions.leaseMs = 900;
    executions.answer = () => executions.claimed('dropped', request(url));
    const id = await begin(calling());
    await until('the request', () => open.length > 0);
    executions.lost.set(id, HeartbeatOutcome.HEARTBEAT_OUTCOME_CANCELLED);
    executions.leaseMs = 30_000;
    const other = await begin(definitionOf([node('Start', 'manualTrigger', 1, {})]));
    await reportOf(other);
    await until('the request is given up', () => open.every((response) => response.destroyed));
    await runner.stop();
    expect(executions.reports.map(({ executionId }) => executionId)).toEqual([other]);
  });

  it('releases the called one and waits for it when the runner must stop', async () => {
    const runner = await start({ DRAIN_MS: '0' });
    const two = definitionOf([
      node('Called', 'executeWorkflowTrigger', 1, {}),
      node('Ask', 'httpRequest', 4.2, { url, options: {} }),
      node('End', 'noOp', 1, {}),
    ]);
    executions.answer = () => executions.claimed('moved', two);
    const id = await begin(calling());
    await until('the request', () => open.length > 0);
    const stopped = runner.stop();
    // The server delays its response until the runner has begun to stop.
    setTimeout(answerAll, 500);
    await stopped;
    expect(executions.released.map(({ executionId }) => executionId)).toEqual(['moved']);
    expect(executions.waits).toMatchObject([{ executionId: id, childExecutionId: 'moved' }]);
    expect(executions.reports).toEqual([]);
  });

  it('fails with the error of the called one, and starts another one when it tries again', async () => {
    await start();
    const failing = definitionOf([
      node('Called', 'executeWorkflowTrigger', 1, {}),
      node('Stop', 'stopAndError', 1, { errorMessage: 'no more' }),
    ]);
    executions.answer = ({ attempt }) => executions.claimed(`try-${attempt}`, failing);
    const id = await begin(calling({}, { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 }));
    expect((await reportOf(id)).error).toMatchObject({ message: 'no more', node: 'Call' });
    expect(executions.reports.map(({ executionId }) => executionId)).toEqual(['try-0', 'try-1', id]);
  });

  const called = (...nodes: readonly { name: string }[]): Buffer =>
    Buffer.from(JSON.stringify(definitionOf([node('Called', 'executeWorkflowTrigger', 1, {}), ...nodes])));
  it.each([
    ['success', called(node('Set', 'noOp', 1, {}))],
    ['failure', called(node('Stop', 'stopAndError', 1, { errorMessage: 'no more' }))],
    ['fault of the definition', Buffer.from('{')],
  ])('does not consider a %s the end of the called one if the service has refused it', async (_, definition) => {
    await start();
    executions.fenced.add('stale');
    executions.answer = () => ({
      ...executions.claimed('stale', {}),
      version: { ...versionOf(`${CHILD}stale`, {}), definition },
    });
    const id = await begin(calling());
    const pause = await until('the wait', () => executions.waits.find(({ executionId }) => executionId === id));
    expect(pause).toMatchObject({ childExecutionId: 'stale', lastNode: 'Call' });
    expect(executions.reports.map(({ executionId }) => executionId)).toEqual(['stale']);
  });

  it('refuses to send more than fits into a message, with advice', async () => {
    // Not handed over to the process for large data.
    await start({}, { largeBytes: Infinity });
    const id = await begin(calling(), {
      input: Buffer.from(JSON.stringify({ text: 'x'.repeat(12 * 1024 * 1024) })),
    });
    expect((await reportOf(id)).error?.errorJson).toContain('fewer items at once');
    expect(executions.calls).toEqual([]);
  });

  it('reads a result that is too large for a message in pieces', async () => {
    await start();
    executions.chunk = JSON.stringify([{ json: { large: true } }]);
    executions.answer = () => ({
      childExecutionId: 'c',
      next: { $case: 'ended', value: ended() },
      resultInChunk: true,
    });
    expect(await given(await begin(calling()))).toEqual([{ large: true }]);
  });
});
