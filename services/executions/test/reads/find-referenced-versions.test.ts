import { RetryFrom, RetryVersion } from '@weft/proto/retries';
import { uuidv7 } from '@weft/service-kit/ids';
import { createFindReferencedVersions } from '../../src/domain/read/find-referenced-versions';
import { createFindVersionsInUse } from '../../src/store/executions/find-executions';
import { executionModel } from '../../src/store/executions/execution-schema';
import {
  claim,
  failedReportOf,
  nodeRun,
  OWNER,
  reportOf,
  start,
  startTestStack,
  type FakeWorkflow,
  type Replica,
  type TestStack,
} from '../support/stack';

describe('FindReferencedVersions', () => {
  let stack: TestStack;
  let replica: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
  });
  afterAll(() => stack.stop());
  const ask = async (...workflows: readonly FakeWorkflow[]): Promise<string[]> => {
    const versions = workflows.map(({ workflowId, versionId }) => ({ workflowId, versionId }));
    return [...(await replica.asService('workflows').findReferencedVersions({ versions })).versionIds].sort();
  };
  const sorted = (...workflows: readonly FakeWorkflow[]): string[] =>
    workflows.map(({ versionId }) => versionId).sort();

  it('returns the versions of executions that have not ended, and of those that failed', async () => {
    const [queued, running, waiting, failed, cancelled, succeeded, unused] = Array.from({ length: 7 }, () =>
      stack.workflows.add(),
    );
    if (
      queued === undefined ||
      running === undefined ||
      waiting === undefined ||
      failed === undefined ||
      cancelled === undefined ||
      succeeded === undefined ||
      unused === undefined
    )
      throw new Error('missing');
    await start(replica, queued);
    const claimed = async (workflow: FakeWorkflow) => claim(replica, await start(replica, workflow));
    await claimed(running);
    const { executionId: waits, fence } = await claimed(waiting);
    await replica.runner.wait({
      entries: [
        {
          executionId: waits,
          fence,
          checkpoint: 0,
          nodeRuns: [nodeRun('Wait', 0)],
          engineState: Buffer.from('parked'),
          lastNode: 'Wait',
          resumeTokenHash: '',
          childExecutionId: '',
          resumeAt: new Date(Date.now() + 3_600_000),
        },
      ],
    });
    expect((await stack.stored(waits))?.state).toBe('waiting');
    const failedId = (await claimed(failed)).executionId;
    await replica.runner.report({
      entries: [failedReportOf(failedId, 1), reportOf((await claimed(succeeded)).executionId, 1)],
    });
    await replica.executions.cancelExecution({ executionId: await start(replica, cancelled) }, { principal: OWNER });
    expect(await ask(queued, running, waiting, failed, cancelled, succeeded, unused)).toEqual(
      sorted(queued, running, waiting, failed, cancelled),
    );
    await replica.executions.deleteExecution({ executionId: failedId }, { principal: OWNER });
    expect(await ask(failed, succeeded)).toEqual([]);
  });

  it('distinguishes versions of one workflow', async () => {
    const first = stack.workflows.add();
    const succeeded = await start(replica, first);
    await claim(replica, succeeded);
    await replica.runner.report({ entries: [reportOf(succeeded, 1)] });
    const second = stack.workflows.replace(first, { name: 'second' });
    await start(replica, second);
    const third = stack.workflows.replace(second, { name: 'third' });
    expect(await ask(first, second, third)).toEqual([second.versionId]);
  });

  it('counts versions as needed if a bounded scan cannot decide, only for that workflow', async () => {
    const [busy, quiet] = [stack.workflows.add(), stack.workflows.add()];
    for (let n = 0; n < 3; n += 1) await start(replica, busy);
    await start(replica, quiet);
    const older = { workflowId: busy.workflowId, versionId: uuidv7() };
    const unused = { workflowId: quiet.workflowId, versionId: uuidv7() };
    const findWithin = (most: number) =>
      createFindReferencedVersions(createFindVersionsInUse(executionModel(stack.database)), most);
    expect(await findWithin(3)([older, unused, quiet])).toEqual(new Set([older.versionId, quiet.versionId]));
    expect(await findWithin(4)([older, unused, quiet])).toEqual(new Set([quiet.versionId]));
  });

  it('misses no execution that changes its state during a scan', async () => {
    const looks = [
      { versionIds: new Set<string>(), isPartial: false },
      { versionIds: new Set(['v']), isPartial: false },
    ];
    const find = createFindReferencedVersions(() =>
      Promise.resolve(looks.shift() ?? { versionIds: new Set<string>(), isPartial: false }),
    );
    expect(await find([{ workflowId: 'w', versionId: 'v' }])).toEqual(new Set(['v']));
  });

  it('is for the workflows service, at most a hundred versions at a time', async () => {
    for (const service of ['gateway', 'credentials', 'runner'])
      await expect(replica.asService(service).findReferencedVersions({ versions: [] })).rejects.toMatchObject({
        reason: 'FORBIDDEN',
      });
    await expect(
      ask(
        ...Array.from({ length: 101 }, () => ({
          workflowId: uuidv7(),
          versionId: uuidv7(),
          ownerId: '',
          definition: {},
        })),
      ),
    ).rejects.toMatchObject({ reason: 'INVALID_REQUEST', fields: [{ field: 'versions' }] });
  });

  it('makes a retry report a deleted version, instead of starting a run that cannot work', async () => {
    const workflow = stack.workflows.add();
    const executionId = await start(replica, workflow);
    await claim(replica, executionId);
    await replica.runner.report({ entries: [reportOf(executionId, 1)] });
    const next = stack.workflows.replace(workflow, { name: 'next' });
    stack.workflows.forget(workflow);
    const retry = (version: RetryVersion) =>
      replica.retries.retryExecution(
        { executionId, options: { from: RetryFrom.RETRY_FROM_START, version }, idempotencyKey: '' },
        { principal: OWNER },
      );
    await expect(retry(RetryVersion.RETRY_VERSION_ORIGINAL)).rejects.toMatchObject({ reason: 'RETRY_NOT_POSSIBLE' });
    const { started } = await retry(RetryVersion.RETRY_VERSION_CURRENT);
    expect((await stack.stored(started?.executionId ?? ''))?.versionId).toBe(next.versionId);
  });
});
