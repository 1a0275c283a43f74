import { type ExecutionFilter, ExecutionMode, ExecutionStatus } from '@weft/proto/executions';
import { uuidv7 } from '@weft/service-kit/ids';
import { timeOfId } from '../../src/domain/state/id-at';
import {
  claim,
  failedReportOf,
  OWNER,
  reportOf,
  start,
  startTestStack,
  type FakeWorkflow,
  type Replica,
  type TestStack,
} from '../support/stack';

const {
  EXECUTION_STATUS_ERROR,
  EXECUTION_STATUS_RUNNING,
  EXECUTION_STATUS_SUCCESS,
  EXECUTION_STATUS_UNSPECIFIED,
  EXECUTION_STATUS_WAITING,
} = ExecutionStatus;

describe('ListExecutions', () => {
  let stack: TestStack;
  let replica: Replica;
  let one: FakeWorkflow;
  let two: FakeWorkflow;
  const ids: string[] = [];
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
    one = stack.workflows.add();
    two = stack.workflows.add();
    for (let n = 0; n < 12; n += 1) ids.unshift(await start(replica, n % 3 === 0 ? two : one));
    const [newest = '', second = ''] = ids;
    await claim(replica, newest);
    await claim(replica, second);
    await replica.runner.report({ entries: [reportOf(newest, 1), failedReportOf(second, 1)] });
  });
  afterAll(() => stack.stop());
  const list = (
    fields: Partial<{
      limit: number;
      cursor: string;
      workflowId: string;
      status: ExecutionStatus;
      projectId: string;
      filter: ExecutionFilter;
    }> = {},
  ) =>
    replica.executions.listExecutions(
      { limit: 0, cursor: '', workflowId: '', status: EXECUTION_STATUS_UNSPECIFIED, ...fields },
      { principal: OWNER },
    );
  const idsOf = async (fields: Parameters<typeof list>[0]) => (await list(fields)).executions.map(({ id }) => id);
  const allPages = async (fields: Parameters<typeof list>[0]): Promise<string[]> => {
    const found: string[] = [];
    for (let cursor = ''; ;) {
      const page = await list({ ...fields, cursor });
      found.push(...page.executions.map(({ id }) => id));
      if (page.nextCursor === '') return found;
      cursor = page.nextCursor;
    }
  };

  it('returns all, newest first, in pages that neither repeat nor skip', async () => {
    expect(await idsOf({})).toEqual(ids);
    expect(await allPages({ limit: 5 })).toEqual(ids);
    expect(await allPages({ limit: 4, workflowId: one.workflowId })).toEqual(
      ids.filter((_, index) => (11 - index) % 3 !== 0),
    );
  });

  it('returns those of a project or user only, also with one status or workflow, in pages', async () => {
    const ofOne = ids.filter((_, index) => (11 - index) % 3 !== 0);
    expect(await allPages({ limit: 3, projectId: one.ownerId })).toEqual(ofOne);
    expect(await allPages({ limit: 3, projectId: one.ownerId, workflowId: one.workflowId })).toEqual(ofOne);
    expect(await idsOf({ projectId: one.ownerId, workflowId: two.workflowId })).toEqual([]);
    const running = { projectId: one.ownerId, status: EXECUTION_STATUS_RUNNING };
    const ended = [
      ...(await idsOf({ projectId: one.ownerId, status: EXECUTION_STATUS_SUCCESS })),
      ...(await idsOf({ projectId: one.ownerId, status: EXECUTION_STATUS_ERROR })),
    ];
    expect(ended).toHaveLength(2);
    expect(await allPages({ limit: 2, ...running })).toEqual(ofOne.filter((id) => !ended.includes(id)));
    expect(await idsOf({ projectId: uuidv7() })).toEqual([]);
  });

  it('returns concurrent lists of different owners separately', async () => {
    const [ofOne, ofTwo] = await Promise.all([idsOf({ projectId: one.ownerId }), idsOf({ projectId: two.ownerId })]);
    expect([...ofOne, ...ofTwo].sort()).toEqual([...ids].sort());
    expect(ofTwo.length).toBeGreaterThan(0);
  });

  it('refuses an invalid project id, and the cursor of another list', async () => {
    for (const projectId of ['', 'nowhere'])
      await expect(list({ projectId })).rejects.toMatchObject({ fields: [{ field: 'projectId' }] });
    const { nextCursor: cursor } = await list({ limit: 1, projectId: one.ownerId });
    for (const fields of [{}, { projectId: two.ownerId }])
      await expect(list({ limit: 1, cursor, ...fields })).rejects.toMatchObject({ fields: [{ field: 'cursor' }] });
  });

  it('is stable during concurrent inserts and deletions', async () => {
    const first = await list({ limit: 5 });
    const added = await start(replica, one);
    await replica.executions.deleteExecution({ executionId: ids[7] ?? '' }, { principal: OWNER });
    const second = await list({ limit: 5, cursor: first.nextCursor });
    expect(second.executions.map(({ id }) => id)).toEqual([ids[5], ids[6], ids[8], ids[9], ids[10]]);
    ids.splice(7, 1);
    ids.unshift(added);
  });

  it('filters by status and workflow together', async () => {
    expect(await idsOf({ status: EXECUTION_STATUS_SUCCESS })).toEqual([ids[1]]);
    expect(await idsOf({ status: EXECUTION_STATUS_ERROR })).toEqual([ids[2]]);
    expect(await idsOf({ status: EXECUTION_STATUS_WAITING })).toEqual([]);
    expect(await idsOf({ status: EXECUTION_STATUS_RUNNING })).toEqual(
      ids.filter((_, index) => index !== 1 && index !== 2),
    );
    expect(await idsOf({ status: EXECUTION_STATUS_ERROR, workflowId: two.workflowId })).toEqual([]);
  });

  it('filters by time, reason, mode and request together', async () => {
    const filter = (given: Partial<ExecutionFilter>) => ({ filter: { reasons: [], modes: [], ...given } });
    const { executions } = await list({ limit: 100 });
    const failed = executions.find(({ error }) => error !== undefined);
    const { reason = '' } = failed?.error ?? {};
    expect(await allPages({ limit: 2, ...filter({ reasons: [reason, 'NEVER'] }) })).toEqual([failed?.id]);
    expect(await idsOf(filter({ reasons: ['NEVER'] }))).toEqual([]);
    expect(await idsOf({ status: EXECUTION_STATUS_SUCCESS, ...filter({ reasons: [reason] }) })).toEqual([]);
    expect(await allPages({ limit: 4, ...filter({ modes: [ExecutionMode.EXECUTION_MODE_MANUAL] }) })).toEqual(ids);
    expect(await idsOf(filter({ modes: [ExecutionMode.EXECUTION_MODE_WEBHOOK] }))).toEqual([]);
    // An id has the time of the acceptance, which can be a little before that of the record.
    const acceptedAt = (id = ''): Date => new Date(timeOfId(id));
    const [newest, oldest] = [acceptedAt(executions[0]?.id), acceptedAt(executions.at(-1)?.id)];
    expect(await allPages({ limit: 5, ...filter({ from: oldest, to: new Date(Date.now() + 1_000) }) })).toEqual(ids);
    expect(await idsOf(filter({ to: oldest }))).toEqual([]);
    expect(await idsOf(filter({ from: new Date(newest.getTime() + 60_000) }))).toEqual([]);
    expect(await idsOf(filter({ requestId: 'none' }))).toEqual([]);
  });

  it('refuses invalid filters, and the cursor of another filter', async () => {
    const base = { reasons: [], modes: [] };
    const cases: readonly (readonly [string, ExecutionFilter])[] = [
      ['reason', { ...base, reasons: Array(21).fill('A') }],
      ['reason', { ...base, reasons: [''] }],
      ['requestId', { ...base, requestId: 'r'.repeat(501) }],
      ['customData', { ...base, customData: 'no colon' }],
    ];
    for (const [field, filter] of cases) await expect(list({ filter })).rejects.toMatchObject({ fields: [{ field }] });
    const { nextCursor: cursor } = await list({ limit: 1, filter: { ...base, from: new Date(0) } });
    await expect(list({ limit: 1, cursor })).rejects.toMatchObject({ fields: [{ field: 'cursor' }] });
    const { nextCursor } = await list({ limit: 1, filter: base });
    expect((await list({ limit: 1, cursor: nextCursor })).executions).toHaveLength(1);
  });

  it('is empty for an unknown workflow', async () => {
    expect(await list({ workflowId: 'nobody' })).toEqual({ executions: [], nextCursor: '' });
  });

  it('has no cursor on the last page', async () => {
    expect((await list({ limit: ids.length })).nextCursor).toBe('');
    expect((await list({ limit: ids.length - 1 })).nextCursor).not.toBe('');
  });

  it('refuses a malformed cursor, one of other filters, too large a page, and too long a workflow id', async () => {
    const { nextCursor } = await list({ limit: 2 });
    for (const fields of [
      { cursor: 'x' },
      { cursor: nextCursor, workflowId: one.workflowId },
      { limit: 101 },
      { workflowId: 'x'.repeat(201) },
    ]) {
      await expect(list(fields)).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
    }
  });
});
