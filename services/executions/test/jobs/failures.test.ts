import { encodeExecutionIds } from '@weft/proto/execution-queue';
import { HeartbeatOutcome, WriteOutcome } from '@weft/proto/runner';
import { uuidv7 } from '@weft/service-kit/ids';
import { closeAfterEach, startProxy, testMongodbUri, until, type Proxy } from '@weft/service-kit/testing';
import { EXECUTION_INDEXES } from '../../src/store/executions/execution-indexes';
import {
  claim,
  claimIsolated,
  heartbeat,
  nodeRun,
  OWNER,
  reportOf,
  start,
  startOf,
  webhookStartOf,
  startTestStack,
  type Replica,
  type TestStack,
} from '../support/stack';

/** Rows of the failure matrix that this service is responsible for. */
describe('when something fails', () => {
  const later = closeAfterEach();
  let stack: TestStack;
  let replica: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica({ LEASE_MS: '1200', SWEEP_MS: '100' });
  });
  afterAll(() => stack.stop());
  /** A connection to the store that can be cut. */
  const proxied = async (): Promise<Proxy> => {
    const { hostname, port } = new URL(testMongodbUri());
    return later(await startProxy(hostname, Number(port)), (proxy) => {
      proxy.restore();
      return proxy.close();
    });
  };

  it('nothing prevents accepting, running and reading executions while the broker is unavailable', async () => {
    const cut = await stack.startReplica({ NATS_URL: 'nats://127.0.0.1:1' });
    const executionId = await start(cut, stack.workflows.add());
    await claim(cut, executionId);
    await cut.runner.report({ entries: [reportOf(executionId, 1)] });
    expect(
      (await cut.executions.getExecution({ executionId }, { principal: OWNER })).execution?.finishedAt,
    ).toBeDefined();
  });

  it('an unavailable store refuses calls within seconds, accepts nothing, and recovers', async () => {
    const proxy = await proxied();
    const cut = later(await stack.startReplica({ MONGODB_URI: `mongodb://127.0.0.1:${proxy.port}` }), (one) =>
      one.stop(),
    );
    const workflow = stack.workflows.add();
    const executionId = await start(cut, workflow);
    proxy.cut();
    const since = Date.now();
    await expect(start(cut, workflow)).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE', kind: 'unavailable' });
    await expect(claim(cut, executionId)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(Date.now() - since).toBeLessThan(15_000);
    expect(await stack.database.collection('executions').countDocuments({ workflowId: workflow.workflowId })).toBe(1);
    proxy.restore();
    expect((await until('the store is found again', () => claim(cut, executionId).catch(() => undefined))).fence).toBe(
      1,
    );
  });

  it('an error of a start contains the outcome: not stored, or possibly stored under an id', async () => {
    const proxy = await proxied();
    const cut = later(await stack.startReplica({ MONGODB_URI: `mongodb://127.0.0.1:${proxy.port}` }), (one) =>
      one.stop(),
    );
    const workflow = stack.workflows.add();
    // Versions are cached from now on, so that only the store fails.
    await start(cut, workflow);
    stack.workflows.isDown = true;
    const refused = start(cut, workflow, { idempotencyKey: 'once' });
    await expect(refused).rejects.toMatchObject({
      kind: 'unavailable',
      details: { started: 'no' },
      message: expect.stringMatching(/Nothing was started\.$/),
    });
    stack.workflows.isDown = false;
    proxy.cut();
    const broken: unknown = await start(cut, workflow, { idempotencyKey: 'twice' }).catch((error: unknown) => error);
    expect(broken).toMatchObject({
      kind: 'unavailable',
      details: { started: 'unknown', executionId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      message: expect.stringContaining('Whether it was started is not known'),
    });
    proxy.restore();
    expect(await stack.database.collection('executions').countDocuments({ workflowId: workflow.workflowId })).toBe(1);
  });

  it('replicas that start at the same time on an empty store do not conflict', async () => {
    const fresh = later(await startTestStack(), (one) => one.stop());
    const replicas = await Promise.all([fresh.startReplica(), fresh.startReplica(), fresh.startReplica()]);
    const ids = await Promise.all(replicas.map((one) => start(one, fresh.workflows.add())));
    expect(new Set(ids).size).toBe(3);
    const names = (await fresh.database.collection('executions').indexes()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(EXECUTION_INDEXES.map(({ name }) => name)));
  });

  it('a forged or duplicate message costs only a refused claim', async () => {
    const executionId = await start(replica, stack.workflows.add());
    const invented = uuidv7();
    stack.nats.publish(stack.queue.subject, encodeExecutionIds([invented, executionId]));
    stack.nats.publish(stack.queue.subject, Buffer.from('not ids at all'));
    await claim(replica, executionId);
    const again = await replica.runner.claim({
      executionIds: [invented, executionId],
      runnerId: 'r2',
      claimId: uuidv7(),
      knownVersionIds: [],
    });
    expect(again.executions).toEqual([]);
    expect((await stack.stored(executionId))?.fence).toBe(1);
  });

  it('a replica that is stopped after the response loses no accepted execution', async () => {
    const short = await stack.startReplica();
    const { results } = await short.executions.startExecutions({
      starts: Array.from({ length: 20 }, () => webhookStartOf(stack.workflows.add())),
    });
    await short.stop();
    const ids = results.map(({ result }) => (result?.$case === 'started' ? result.value.executionId : ''));
    const { executions } = await replica.runner.claim({
      executionIds: ids,
      runnerId: 'r',
      claimId: uuidv7(),
      knownVersionIds: [],
    });
    expect(executions).toHaveLength(20);
  });

  it('every runner call whose response was lost may be repeated at another replica', async () => {
    const other = await stack.startReplica();
    const executionId = await start(replica, stack.workflows.add());
    const claiming = { executionIds: [executionId], runnerId: 'r', claimId: uuidv7(), knownVersionIds: [] };
    expect(await other.runner.claim(claiming)).toMatchObject({
      executions: (await replica.runner.claim(claiming)).executions,
    });
    const checkpoint = {
      entries: [{ executionId, fence: 1, checkpoint: 1, nodeRuns: [nodeRun('A', 0)], engineState: Buffer.from('s') }],
    };
    const answer = { executionId, fence: 1, response: { statusCode: 200, headers: [], body: Buffer.from('a') } };
    const report = { entries: [reportOf(executionId, 1, { checkpoint: 1, nodeRuns: [nodeRun('B', 1)] })] };
    const calls = [
      (at: Replica) => at.runner.checkpoint(checkpoint).then(({ outcomes }) => outcomes[0]),
      (at: Replica) => at.runner.respond(answer).then(({ outcome }) => outcome),
      (at: Replica) => at.runner.report(report).then(({ outcomes }) => outcomes[0]),
    ];
    for (const call of calls)
      expect([await call(replica), await call(other)]).toEqual([
        WriteOutcome.WRITE_OUTCOME_APPLIED,
        WriteOutcome.WRITE_OUTCOME_DUPLICATE,
      ]);
    expect(await stack.stored(executionId)).toMatchObject({ state: 'success', nodeRunCount: 2, checkpoint: 1 });
  });

  it('a runner that was suspended past its lease finds its run claimed, and can change nothing', async () => {
    const executionId = await start(replica, stack.workflows.add());
    const frozen = await claim(replica, executionId, 'frozen');
    const second = await until('another runner has it', () =>
      claimIsolated(replica, executionId, 'second').catch(() => undefined),
    );
    expect(second.fence).toBe(frozen.fence + 1);
    const before = await stack.stored(executionId);
    const { outcomes } = await replica.runner.report({ entries: [reportOf(executionId, frozen.fence)] });
    const stored = await replica.runner.checkpoint({
      entries: [
        { executionId, fence: frozen.fence, checkpoint: 1, nodeRuns: [nodeRun('A', 0)], engineState: Buffer.from('s') },
      ],
    });
    const answered = await replica.runner.respond({
      executionId,
      fence: frozen.fence,
      response: { statusCode: 200, headers: [], body: Buffer.alloc(0) },
    });
    expect([...outcomes, ...stored.outcomes, answered.outcome]).toEqual([
      WriteOutcome.WRITE_OUTCOME_FENCED,
      WriteOutcome.WRITE_OUTCOME_FENCED,
      WriteOutcome.WRITE_OUTCOME_FENCED,
    ]);
    expect(await stack.stored(executionId)).toEqual(before);
  });

  it(
    'a replica whose clock is ten minutes ahead takes nothing from a runner that renews its lease, and delays ' +
      'nothing for the others',
    async () => {
      const own = later(await startTestStack(), (one) => one.stop());
      const env = { LEASE_MS: '4000', SWEEP_MS: '100' };
      const right = await own.startReplica(env);
      const ahead = await own.startReplica(
        env,
        () => Date.now() + 600_000,
        () => performance.now(),
      );
      const [kept, lost] = [await start(right, own.workflows.add()), await start(ahead, own.workflows.add())];
      const first = await claim(right, kept, 'first');
      await claim(ahead, lost, 'dead');
      await heartbeat(ahead, lost, 1);
      const since = Date.now();
      let outcomes: readonly HeartbeatOutcome[] = [];
      await until('the lease that is not renewed is taken', async () => {
        ({ outcomes } = await heartbeat(right, kept, first.fence));
        return (await own.stored(lost))?.state === 'queued';
      });
      // Lease and grace are 4.3 s; by the wall clocks of the replicas it would be at once, or ten minutes.
      expect(Date.now() - since).toBeGreaterThan(4_000);
      const again = await until(
        'a replica with the right clock gives it out',
        () => claimIsolated(right, lost, 'second').catch(() => undefined),
        20_000,
      );
      expect([again.fence, outcomes]).toEqual([2, [HeartbeatOutcome.HEARTBEAT_OUTCOME_HELD]]);
      expect(await own.stored(kept)).toMatchObject({ state: 'running', crashes: 0, fence: first.fence });
    },
  );

  it('an execution whose client starts it repeatedly by one key is one execution, over all replicas', async () => {
    const other = await stack.startReplica();
    const workflow = stack.workflows.add();
    const request = { start: startOf(workflow, { idempotencyKey: 'storm' }) };
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        (n % 2 === 0 ? replica : other).executions.startExecution(request, { principal: OWNER }),
      ),
    );
    expect(new Set(answers.map(({ started }) => started?.executionId)).size).toBe(1);
    expect(await stack.database.collection('executions').countDocuments({ workflowId: workflow.workflowId })).toBe(1);
  });
});
