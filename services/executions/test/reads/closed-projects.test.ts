import { ExecutionStatus } from '@weft/proto/executions';
import { RetryFrom, RetryVersion } from '@weft/proto/retries';
import type { Principal } from '@weft/service-kit/auth';
import { uuidv7 } from '@weft/service-kit/ids';
import { CLOSED_PROJECTS_LEASE_MS } from '@weft/service-kit/visibility';
import { until } from '@weft/service-kit/testing';
import {
  claim,
  failedReportOf,
  nodeRun,
  OWNER,
  reportOf,
  start,
  startOf,
  startTestStack,
  webhookStartOf,
  type FakeWorkflow,
  type Replica,
  type TestStack,
} from '../support/stack';

const STRANGER: Principal = { userId: 'stranger', role: 'editor' };
/**
 * Parts of run data, clearly more than the buffers between the service and its caller: 16 messages that the caller's
 * stream has read ahead, 4 MiB of the window, and the message being written.
 */
const PARTS = 40;
const PART_BYTES = 1_000_000;

describe('executions of a closed project', () => {
  let stack: TestStack;
  let replica: Replica;
  let other: Replica;
  const project = uuidv7();
  const member: Principal = { userId: 'member', role: 'viewer', reads: [project] };
  let workflow: FakeWorkflow;
  let open: FakeWorkflow;

  /** Closes or opens the project, and waits as the credentials service does. */
  const setClosed = async (closed: boolean): Promise<void> => {
    if (closed) stack.projects.closed.add(project);
    else stack.projects.closed.delete(project);
    await new Promise((resolve) => setTimeout(resolve, CLOSED_PROJECTS_LEASE_MS));
  };
  const replicas = (): readonly Replica[] => [replica, other];
  const run = async (of: FakeWorkflow): Promise<string> => {
    const id = await start(replica, of);
    await claim(replica, id);
    await replica.runner.report({ entries: [failedReportOf(id, 1)] });
    return id;
  };
  const list = (at: Replica, principal: Principal, fields: object = {}) =>
    at.executions.listExecutions(
      { limit: 100, cursor: '', workflowId: '', status: ExecutionStatus.EXECUTION_STATUS_UNSPECIFIED, ...fields },
      { principal },
    );
  const idsOf = async (...asked: Parameters<typeof list>): Promise<string[]> =>
    (await list(...asked)).executions.map(({ id }) => id);
  const get = (at: Replica, executionId: string, principal: Principal) =>
    at.executions.getExecution({ executionId }, { principal });
  const forbidden = { reason: 'FORBIDDEN' };

  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
    other = await stack.startReplica();
    workflow = stack.workflows.add({}, project);
    open = stack.workflows.add({}, STRANGER.userId);
    await setClosed(true);
  });
  afterAll(() => stack.stop());

  it('are refused by id to others, at every replica, and read by members and admins', async () => {
    const id = await run(workflow);
    for (const at of replicas()) {
      await expect(get(at, id, STRANGER)).rejects.toMatchObject({ ...forbidden, details: { executionId: id } });
      await expect(get(at, id, { ...STRANGER, role: 'viewer' })).rejects.toMatchObject(forbidden);
      for (const principal of [member, OWNER, { ...STRANGER, projects: [project] }])
        expect((await get(at, id, principal)).execution).toMatchObject({ id });
    }
    await expect(get(replica, uuidv7(), STRANGER)).rejects.toMatchObject({ reason: 'EXECUTION_NOT_FOUND' });
  });

  it('are omitted from every list of others, unlike their own', async () => {
    const [hidden, shown] = [await run(workflow), await run(open)];
    for (const at of replicas())
      for (const fields of [{}, { status: ExecutionStatus.EXECUTION_STATUS_ERROR }]) {
        const ids = await idsOf(at, STRANGER, fields);
        expect([ids.includes(hidden), ids.includes(shown)]).toEqual([false, true]);
        expect(await idsOf(at, member, fields)).toEqual(expect.arrayContaining([hidden, shown]));
      }
    expect(await idsOf(replica, STRANGER, { projectId: project })).toEqual([]);
    expect(await idsOf(replica, STRANGER, { workflowId: workflow.workflowId })).toEqual([]);
    expect(await idsOf(replica, member, { projectId: project })).toContain(hidden);
  });

  it('are in the response of concurrent identical lists only for callers who may see them', async () => {
    const hidden = await run(workflow);
    const callers = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? STRANGER : member));
    const lists = await Promise.all(callers.map((principal) => idsOf(replica, principal)));
    expect(lists.map((ids) => ids.includes(hidden))).toEqual(callers.map((principal) => principal === member));
  });

  it('do not hide later executions from others: every page leads on to them', async () => {
    const lonely = stack.workflows.add({}, STRANGER.userId);
    const first = await run(lonely);
    const model = await stack.stored(await run(workflow));
    if (model === undefined) throw new Error('The execution is not stored.');
    const many = Array.from({ length: 5_200 }, () => ({ ...model, _id: uuidv7() }));
    await stack.database.collection<typeof model>('executions').insertMany(many);
    const pages: string[][] = [];
    for (let cursor = ''; pages.length === 0 || cursor !== '';) {
      const page = await list(replica, STRANGER, { cursor });
      pages.push(page.executions.map(({ id }) => id));
      cursor = page.nextCursor;
      expect(pages.length).toBeLessThan(20);
    }
    expect(pages[0]).toEqual([]);
    expect(pages.flat()).toContain(first);
    expect(new Set(pages.flat()).size).toBe(pages.flat().length);
    expect(pages.flat().some((id) => many.some(({ _id }) => _id === id))).toBe(false);
    await stack.database
      .collection<typeof model>('executions')
      .deleteMany({ _id: { $in: many.map(({ _id }) => _id) } });
  });

  it('have their data refused, and a stream of it aborted when the project is closed meanwhile', async () => {
    await setClosed(false);
    const id = await start(replica, workflow);
    await claim(replica, id);
    const record = { text: 'x'.repeat(PART_BYTES) };
    for (let n = 0; n < PARTS; n += 1) {
      const nodeRuns = [nodeRun('A', n, record, { run: n })];
      await replica.runner.checkpoint({
        entries: [{ executionId: id, fence: 1, checkpoint: n + 1, nodeRuns, engineState: Buffer.from('s') }],
      });
    }
    const stream = replica.executions.readExecutionData({ executionId: id }, { principal: STRANGER });
    const parts = stream[Symbol.asyncIterator]();
    await parts.next();
    await setClosed(true);
    const rest = async (): Promise<void> => {
      while ((await parts.next()).done !== true);
    };
    await expect(rest()).rejects.toMatchObject(forbidden);
    const read = async (): Promise<void> => {
      const again = replica.executions.readExecutionData({ executionId: id }, { principal: STRANGER });
      await again[Symbol.asyncIterator]().next();
    };
    await expect(read()).rejects.toMatchObject(forbidden);
  });

  it('cannot be cancelled, deleted or retried by others, not even by a run of an admin', async () => {
    const id = await run(workflow);
    const inRun: Principal = { userId: 'admin', role: 'admin', inRun: true };
    const options = { from: RetryFrom.RETRY_FROM_START, version: RetryVersion.RETRY_VERSION_UNSPECIFIED };
    for (const principal of [STRANGER, inRun])
      for (const attempt of [
        () => replica.executions.cancelExecution({ executionId: id }, { principal }),
        () => replica.executions.deleteExecution({ executionId: id }, { principal }),
        () => replica.retries.retryExecution({ executionId: id, options, idempotencyKey: '' }, { principal }),
        () => get(replica, id, principal),
      ])
        await expect(attempt()).rejects.toMatchObject(forbidden);
    expect(await idsOf(replica, inRun)).not.toContain(id);
    const ofProject: Principal = { userId: project, role: 'editor', inRun: true };
    expect((await get(replica, id, ofProject)).execution).toMatchObject({ id });
  });

  it('are not returned to a user who repeats a start after leaving the project', async () => {
    const editor: Principal = { userId: 'leaving', role: 'editor', projects: [project] };
    const sending = (principal: Principal) =>
      replica.executions.startExecution({ start: startOf(workflow, { idempotencyKey: 'again' }) }, { principal });
    const admin: Principal = { ...editor, role: 'admin' };
    const { started } = await sending(admin);
    expect((await sending(admin)).started).toMatchObject({ executionId: started?.executionId, existing: true });
    await expect(sending({ userId: 'leaving', role: 'editor' })).rejects.toMatchObject(forbidden);
  });

  it('are in no retry jobs that others can see', async () => {
    const filter = { workflowId: workflow.workflowId, status: ExecutionStatus.EXECUTION_STATUS_ERROR, reason: '' };
    const job = async (principal: Principal, of: object): Promise<string> => {
      const asked = { filter: { ...filter, ...of }, options: undefined, dryRun: false, idempotencyKey: '' };
      return (await replica.retries.startRetryJob(asked, { principal })).job?.id ?? '';
    };
    const [ofOwner, ofEditor] = [await job(OWNER, {}), await job(STRANGER, { workflowId: '' })];
    const seenBy = async (principal: Principal): Promise<string[]> =>
      (await replica.retries.listRetryJobs({ limit: 100, cursor: '' }, { principal })).jobs.map(({ id }) => id);
    expect(await seenBy(STRANGER)).toEqual([ofEditor]);
    expect(await seenBy(OWNER)).toEqual(expect.arrayContaining([ofOwner, ofEditor]));
    await expect(replica.retries.getRetryJob({ jobId: ofOwner }, { principal: STRANGER })).rejects.toMatchObject(
      forbidden,
    );
    expect((await replica.retries.getRetryJob({ jobId: ofOwner }, { principal: member })).job?.id).toBe(ofOwner);
  });

  it('can be called by runs of the project, but not by others, whatever the workflow allows', async () => {
    const trigger = [{ name: 'Called', type: 'n8n-nodes-base.executeWorkflowTrigger' }];
    const callee = stack.workflows.add({ nodes: trigger, settings: { callerPolicy: 'any' } }, project);
    const callBy = async (ownerId: string) => {
      const parent = (await claim(replica, await start(replica, stack.workflows.add({}, ownerId)))).executionId;
      return replica.runner.startChild({
        runnerId: 'runner-1',
        parentExecutionId: parent,
        fence: 1,
        node: 'Call',
        run: 0,
        item: 0,
        workflowId: callee.workflowId,
        input: Buffer.alloc(0),
        knownVersionIds: [],
        detached: false,
      });
    };
    await expect(callBy('stranger')).rejects.toMatchObject({ reason: 'WORKFLOW_CALL_REFUSED' });
    expect((await callBy(project)).childExecutionId).not.toBe('');
    await setClosed(false);
    expect((await callBy('stranger')).childExecutionId).not.toBe('');
    await setClosed(true);
  });

  it('belong to the current owner of the workflow, not to that of a version from before its move', async () => {
    const moved = stack.workflows.add({}, STRANGER.userId);
    const webhook = webhookStartOf(moved, { ownerId: project });
    const { started } = await replica.asService('gateway').startExecution({ start: webhook });
    await expect(get(replica, started?.executionId ?? '', STRANGER)).rejects.toMatchObject(forbidden);
  });

  it('are visible only to managers while it is unknown which projects are closed', async () => {
    const id = await run(open);
    stack.projects.isAway = true;
    try {
      await until('the lease has ended', () =>
        get(replica, id, STRANGER).then(
          () => undefined,
          () => true,
        ),
      );
      await expect(get(replica, id, STRANGER)).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
      expect((await get(replica, id, OWNER)).execution).toMatchObject({ id });
    } finally {
      stack.projects.isAway = false;
    }
    expect(await until('it is asked again', () => get(replica, id, STRANGER).catch(() => undefined))).toMatchObject({
      execution: { id },
    });
  });

  it('end as usual, and are read by the gateway for the callers of webhooks', async () => {
    const id = await start(replica, workflow);
    await claim(replica, id);
    await replica.runner.report({ entries: [reportOf(id, 1)] });
    expect(await stack.completed(id)).toMatchObject({ state: 'success' });
  });
});
