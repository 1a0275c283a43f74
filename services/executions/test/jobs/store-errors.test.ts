import { EndState, WriteOutcome, type ReportEntry } from '@weft/proto/runner';
import { ServiceError, type ErrorKind } from '@weft/service-kit/errors';
import { fromRpcStatus } from '@weft/service-kit/grpc';
import { startStoreProxy, type StoreFault, type StoreProxy, until } from '@weft/service-kit/testing';
import {
  claim,
  nodeRun,
  OWNER,
  reportOf,
  start,
  startOf,
  startTestStack,
  type Replica,
  type TestStack,
} from '../support/stack';

/** The server's conditions, refusals of content among them, in every way in which a server reports them. */
const FAULTS: readonly StoreFault[] = [
  { code: 1 },
  { code: 1, refusesRows: true },
  { code: 2 },
  { code: 2, refusesRows: true, isApplied: true },
  { code: 2, commands: ['update'], refusesRows: true },
  { code: 13 },
  { code: 121, refusesRows: true, share: 0.5 },
  { code: 8_000, isApplied: true },
  { code: 10_334, refusesRows: true },
  { code: 11_000, refusesRows: true },
  { code: 14_031 },
  { code: 16_500, refusesRows: true, share: 0.7 },
  { code: 17_419, commands: ['update'] },
  { code: 16_777_245, isApplied: true },
];

/**
 * A server that refuses every command gives no witness of a refusal (0265). One that refuses a share of them may give
 * three by chance, about once in a hundred attempts. The runner does not end a run for one such answer
 * (`retry-while-held.test.ts`).
 */
const failureKinds = ({ share }: StoreFault): ErrorKind[] =>
  share === undefined ? ['unavailable'] : ['unavailable', 'internal'];

describe('a store that is unwell', () => {
  let stack: TestStack;
  let replica: Replica;
  let store: StoreProxy;
  beforeAll(async () => {
    stack = await startTestStack();
    store = await startStoreProxy();
    replica = await stack.startReplica({ MONGODB_URI: store.uri });
  });
  afterEach(() => store.fail(undefined));
  afterAll(async () => {
    store.fail(undefined);
    await stack.stop();
    await store.close();
  });

  const report = async (entries: ReportEntry[]): Promise<(WriteOutcome | string)[]> => {
    const { outcomes, refusals } = await replica.runner.report({ entries });
    return outcomes.map((outcome, position) => {
      const status = refusals?.byPosition[position];
      return status === undefined ? outcome : fromRpcStatus(status).kind;
    });
  };

  it.each(FAULTS)('ends no run and starts none twice: %j', async (fault) => {
    const workflow = stack.workflows.add();
    const runs = await Promise.all([1, 2, 3].map(async () => claim(replica, await start(replica, workflow))));
    const reports = runs.map(({ executionId }) =>
      reportOf(executionId, 1, { nodeRuns: [nodeRun('N', 0)], lastNode: 'N' }),
    );
    store.fail(fault);
    const began = performance.now();
    const written = [WriteOutcome.WRITE_OUTCOME_APPLIED, WriteOutcome.WRITE_OUTCOME_DUPLICATE];
    const kinds = failureKinds(fault);
    while (performance.now() - began < 400)
      for (const outcome of await report(reports)) expect([...written, ...kinds]).toContain(outcome);
    const idempotencyKey = `key of ${JSON.stringify(fault)}`;
    const begin = () =>
      replica.executions.startExecution({ start: startOf(workflow, { idempotencyKey }) }, { principal: OWNER });
    const error = await begin().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (error !== undefined) expect(kinds).toContain(error instanceof ServiceError && error.kind);
    if (error instanceof ServiceError && error.kind === 'unavailable')
      expect(error.retryAfterSeconds).toEqual(expect.any(Number));
    expect(store.failures()).toBeGreaterThan(0);
    store.fail(undefined);
    for (const outcome of await report(reports)) expect(written).toContain(outcome);
    for (const { executionId } of runs)
      expect(await stack.stored(executionId)).toMatchObject({ state: 'success', nodeRunCount: 1 });
    const { started } = await begin();
    expect((await begin()).started?.executionId).toBe(started?.executionId);
    expect(await stack.database.collection('executions').countDocuments({ idempotencyKey: { $regex: 'key of' } })).toBe(
      FAULTS.indexOf(fault) + 1,
    );
  });

  it('refuses only the entry whose content the server refuses, next to healthy ones', async () => {
    const workflow = stack.workflows.add();
    const runs = await Promise.all([1, 2, 3, 4].map(async () => claim(replica, await start(replica, workflow))));
    const poisoned = runs[1]?.executionId ?? '';
    // The server cannot append to what is not a list.
    await stack.database
      .collection<{ readonly _id: string }>('executions')
      .updateOne({ _id: poisoned }, { $set: { manifest: 'not a list' } });
    const reports = runs.map(({ executionId }) =>
      reportOf(executionId, 1, { nodeRuns: [nodeRun('N', 0)], lastNode: 'N' }),
    );
    const { WRITE_OUTCOME_APPLIED } = WriteOutcome;
    expect(await report(reports)).toEqual([
      WRITE_OUTCOME_APPLIED,
      'internal',
      WRITE_OUTCOME_APPLIED,
      WRITE_OUTCOME_APPLIED,
    ]);
    const error = { reason: 'RESULT_REFUSED', message: 'no', node: '', errorJson: '' };
    const end = reportOf(poisoned, 1, { endState: EndState.END_STATE_ERROR, error });
    expect(await report([end])).toEqual([WRITE_OUTCOME_APPLIED]);
  });

  it.each([1, 2, 11_000, 14_031])('is unavailable for all that read it: code %i', async (code) => {
    const executionId = await start(replica, stack.workflows.add());
    store.fail({ code });
    const read = replica.executions.getExecution({ executionId }, { principal: OWNER });
    const error = await read.catch((thrown: unknown) => thrown);
    expect(error instanceof ServiceError && [error.kind, error.retryAfterSeconds]).toEqual(['unavailable', 5]);
    store.fail(undefined);
    await until('it can be read', () => replica.executions.getExecution({ executionId }, { principal: OWNER }));
  });
});
