import { HeartbeatOutcome } from '@weft/proto/runner';
import { uuidv7 } from '@weft/service-kit/ids';
import { startProxy, testMongodbUri, until, type Proxy } from '@weft/service-kit/testing';
import { claim, heartbeat, OWNER, start, startTestStack, type Replica, type TestStack } from '../support/stack';

describe('Claim', () => {
  let stack: TestStack;
  let replica: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
  });
  afterAll(() => stack.stop());
  const request = (executionIds: string[], claimId: string, runnerId = 'r') => ({
    executionIds,
    runnerId,
    claimId,
    knownVersionIds: [],
    engineStateVersions: { readable: [1] },
  });

  it('claims queued executions with a raised fence and a lease, and refuses the rest', async () => {
    const workflow = stack.workflows.add();
    const [free, taken] = [await start(replica, workflow), await start(replica, workflow)];
    await claim(replica, taken);
    const unknown = uuidv7();
    const { executions, refusedIds } = await replica.runner.claim(request([free, taken, unknown, 'no id'], uuidv7()));
    expect(executions.map(({ executionId, fence }) => [executionId, fence])).toEqual([[free, 1]]);
    expect(new Set(refusedIds)).toEqual(new Set([taken, unknown, 'no id']));
    const record = await stack.stored(free);
    expect(record).toMatchObject({ state: 'running', fence: 1, lease: { runnerId: 'r' } });
    expect(record?.publishAt).toBeUndefined();
    expect(record?.startedAt).toBeInstanceOf(Date);
  });

  it('gives the same response to a repeated claim id', async () => {
    const executionId = await start(replica, stack.workflows.add());
    const claimId = uuidv7();
    const first = await replica.runner.claim(request([executionId], claimId));
    const again = await replica.runner.claim(request([executionId], claimId));
    expect(again).toEqual(first);
    expect((await stack.stored(executionId))?.fence).toBe(1);
  });

  it.each([1, 2])('gives %d executions of a claim to its last attempt only, whichever arrives last', async (count) => {
    const workflow = stack.workflows.add();
    const ids = await Promise.all(Array.from({ length: count }, () => start(replica, workflow)));
    const sent = async (attempt: number): Promise<readonly string[]> => {
      const { executions } = await replica.runner.claim({ ...request(ids, claimId), attempt });
      return executions.map(({ executionId }) => executionId).sort();
    };
    const claimId = uuidv7();
    expect(await sent(1)).toEqual([...ids].sort());
    expect(await sent(0)).toEqual([]);
    expect(await sent(2)).toEqual([...ids].sort());
    expect(await sent(1)).toEqual([]);
    expect(await stack.stored(ids[0] ?? '')).toMatchObject({ fence: 1, lease: { attempt: 2 } });
  });

  it('gives each execution to one of many concurrent claims', async () => {
    const workflow = stack.workflows.add();
    const ids = await Promise.all(Array.from({ length: 60 }, () => start(replica, workflow)));
    const other = await stack.startReplica();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        (n % 2 === 0 ? replica : other).runner.claim(request(ids.slice(n * 4, n * 4 + 20), uuidv7(), `r${n}`)),
      ),
    );
    const won = answers.flatMap(({ executions }) => executions.map(({ executionId }) => executionId));
    expect(new Set(won).size).toBe(won.length);
    expect(new Set(won)).toEqual(new Set(ids.slice(0, 60)));
  });

  it('sends each definition once, except those that the runner holds', async () => {
    const [one, two] = [stack.workflows.add(), stack.workflows.add()];
    const ids = [await start(replica, one), await start(replica, one), await start(replica, two)];
    const { versions } = await replica.runner.claim({ ...request(ids, uuidv7()), knownVersionIds: [two.versionId] });
    expect(versions.map(({ versionId }) => versionId)).toEqual([one.versionId]);
  });

  describe('of runs that have a state', () => {
    /** A run that was released with a state of this version. */
    const releasedWith = async (engineStateVersion: number, bytes = 2): Promise<string> => {
      const { executionId } = await claim(replica, await start(replica, stack.workflows.add()));
      const engineState = Buffer.alloc(bytes, '-');
      const progress = { executionId, fence: 1, nodeRuns: [], engineState, engineStateVersion };
      await replica.runner.release({ entries: [{ ...progress, checkpoint: 0 }] });
      return executionId;
    };

    it('gives them to runners that support its version, and reports others as unreadable', async () => {
      const [old, recent] = [await releasedWith(1), await releasedWith(7)];
      const fresh = await start(replica, stack.workflows.add());
      const unnamed = await replica.runner.claim({ ...request([old], uuidv7()), engineStateVersions: undefined });
      expect([unnamed.executions, unnamed.unreadableIds]).toEqual([[], [old]]);
      const first = await replica.runner.claim(request([old, recent, fresh], uuidv7()));
      expect(new Set(first.executions.map(({ executionId }) => executionId))).toEqual(new Set([old, fresh]));
      expect([first.refusedIds, first.unreadableIds, first.isolatedIds]).toEqual([[recent], [recent], []]);
      expect(await stack.stored(recent)).toMatchObject({ state: 'queued', fence: 1, crashes: 0 });
      const engineStateVersions = { readable: [6, 7] };
      const { executions, unreadableIds } = await replica.runner.claim({
        ...request([recent], uuidv7()),
        engineStateVersions,
      });
      expect(executions).toMatchObject([{ executionId: recent, fence: 2, engineState: Buffer.from('--') }]);
      expect(unreadableIds).toEqual([]);
    });

    it('also checks the version of a state in a separate chunk', async () => {
      const executionId = await releasedWith(7, 200_000);
      expect((await stack.stored(executionId))?.engineState).toBeUndefined();
      await expect(claim(replica, executionId)).rejects.toThrow('refused');
    });

    it('also applies to claims for isolation', async () => {
      const executionId = await releasedWith(7);
      const answer = await replica.runner.claim({ ...request([executionId], uuidv7()), isolated: true });
      expect([answer.executions, answer.unreadableIds]).toEqual([[], [executionId]]);
    });

    it('uses the version of the last write', async () => {
      const executionId = await releasedWith(7);
      await replica.runner.claim({ ...request([executionId], uuidv7()), engineStateVersions: { readable: [7] } });
      const progress = { executionId, fence: 2, nodeRuns: [], engineState: Buffer.from('-'), engineStateVersion: 1 };
      await replica.runner.release({ entries: [{ ...progress, checkpoint: 1 }] });
      expect(await claim(replica, executionId)).toMatchObject({ fence: 3 });
    });

    it('refuses a list of versions that is too long', async () => {
      const readable = Array.from({ length: 17 }, (_, version) => version);
      const sent = replica.runner.claim({ ...request([uuidv7()], 'c'), engineStateVersions: { readable } });
      await expect(sent).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
    });
  });

  it('releases executions without a definition, without a crash', async () => {
    const own = await stack.startReplica({ LEASE_MS: '1000', SWEEP_MS: '100' });
    const workflow = stack.workflows.add();
    const executionId = await start(replica, workflow);
    stack.workflows.isDown = true;
    const { executions, refusedIds } = await own.runner.claim(request([executionId], uuidv7()));
    stack.workflows.isDown = false;
    expect(executions).toEqual([]);
    expect(refusedIds).toEqual([executionId]);
    expect(await stack.stored(executionId)).toMatchObject({ state: 'queued', crashes: 0, fence: 1, generation: 1 });
    const claimed = await until('the back-off is over', () => claim(own, executionId).catch(() => undefined));
    expect(claimed.fence).toBe(2);
    // It considers all runs dead after a second.
    await own.stop();
  });

  it('ends an execution whose version was deleted', async () => {
    const workflow = stack.workflows.add();
    const executionId = await start(replica, workflow);
    stack.workflows.remove(workflow);
    const other = await stack.startReplica();
    expect((await other.runner.claim(request([executionId], uuidv7()))).executions).toEqual([]);
    const { execution } = await replica.executions.getExecution({ executionId }, { principal: OWNER });
    expect(execution?.error).toMatchObject({ reason: 'WORKFLOW_VERSION_MISSING' });
  });

  it('limits its response to the size of a message', async () => {
    const workflows = Array.from({ length: 4 }, () => stack.workflows.add({ notes: 'x'.repeat(5 * 1024 * 1024) }));
    const ids: string[] = [];
    // one after the other: each transfers its definition before the deadline of its call
    for (const workflow of workflows) ids.push(await start(replica, workflow));
    const { executions, refusedIds } = await replica.runner.claim(request(ids, uuidv7()));
    expect(executions).toHaveLength(2);
    expect(refusedIds).toHaveLength(2);
    expect((await replica.runner.claim(request(ids, uuidv7()))).executions).toHaveLength(2);
  });

  describe('while the store is frozen', () => {
    let proxy: Proxy;
    let frozen: Replica;
    beforeAll(async () => {
      const address = new URL(testMongodbUri());
      proxy = await startProxy(address.hostname, Number(address.port));
      frozen = await stack.startReplica({ MONGODB_URI: `mongodb://127.0.0.1:${proxy.port}` });
    });
    afterAll(async () => {
      await frozen.stop();
      await proxy.close();
    });
    const startSome = (): Promise<string[]> => {
      const workflow = stack.workflows.add();
      return Promise.all(Array.from({ length: 8 }, () => start(replica, workflow)));
    };
    /** Enough for a claim to reach the store on a busy machine: one that never does claims nothing. */
    const deadlineMs = 3_000;
    const recordsOf = (ids: readonly string[]) => Promise.all(ids.map((id) => stack.stored(id)));

    it('releases executions claimed for a disconnected runner, without a crash', async () => {
      const ids = await startSome();
      proxy.freeze();
      await expect(frozen.runner.claim(request(ids, uuidv7()), { deadlineMs })).rejects.toMatchObject({
        kind: 'timeout',
      });
      proxy.thaw();
      const records = await until('all are released', async () => {
        const found = await recordsOf(ids);
        return found.every((record) => record?.state === 'queued' && record.fence === 1) && found;
      });
      expect(records.map((record) => [record?.crashes, record?.runsAlone])).toEqual(ids.map(() => [0, undefined]));
      // The frozen replica may know the clock of the store only to within the time of the freeze.
      const claimed = new Set<string>();
      await until('all are claimed again', async () => {
        const { executions } = await replica.runner.claim(request(ids, uuidv7()));
        for (const { executionId } of executions) claimed.add(executionId);
        return claimed.size === ids.length;
      });
    });

    it('leaves claimed executions to the repetition of the claim, whichever attempt the store sees first', async () => {
      const ids = await startSome();
      const claimId = uuidv7();
      proxy.freeze();
      await expect(frozen.runner.claim(request(ids, claimId), { deadlineMs })).rejects.toMatchObject({
        kind: 'timeout',
      });
      const again = frozen.runner.claim({ ...request(ids, claimId), attempt: 1 }, { deadlineMs: 20_000 });
      proxy.thaw();
      const { executions } = await again;
      // Executions claimed only by the first attempt are free again.
      const others = await until('everything has its runner', async () => {
        const rest = ids.filter((id) => !executions.some(({ executionId }) => executionId === id));
        const states = await recordsOf(rest);
        if (!states.every((record) => record?.state === 'queued')) return false;
        return rest.length === 0 ? [] : (await replica.runner.claim(request(rest, uuidv7()))).executions;
      });
      expect(new Set([...executions, ...others].map(({ executionId }) => executionId))).toEqual(new Set(ids));
      for (const { executionId, fence } of [...executions, ...others])
        expect((await heartbeat(replica, executionId, fence)).outcomes).toEqual([
          HeartbeatOutcome.HEARTBEAT_OUTCOME_HELD,
        ]);
    });
  });

  it('takes one execution at a time for isolation', async () => {
    await expect(replica.runner.claim({ ...request([uuidv7(), uuidv7()], 'c'), isolated: true })).rejects.toMatchObject(
      {
        reason: 'INVALID_REQUEST',
      },
    );
  });

  it('refuses lists that are too long and claims without a runner name', async () => {
    await expect(
      replica.runner.claim(
        request(
          Array.from({ length: 201 }, () => uuidv7()),
          'c',
        ),
      ),
    ).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
    await expect(replica.runner.claim(request([], ''))).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
    await expect(replica.runner.claim(request([], 'c', ''))).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
  });
});
