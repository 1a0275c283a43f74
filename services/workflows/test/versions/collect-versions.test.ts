import { StartPurpose } from '@weft/proto/workflows';
import { uuidv7 } from '@weft/service-kit/ids';
import { until } from '@weft/service-kit/testing';
import { webhook, workflowOf } from '../support/definitions';
import { startService, type TestService } from '../support/start-service';
import { openStoredSchedules, type StoredSchedules } from '../support/stored-schedules';
import { openStoredVersions, type StoredVersions } from '../support/stored-versions';

const HOUR = 3_600_000;

describe('unused versions', () => {
  let service: TestService;
  let stored: StoredVersions;
  let schedules: StoredSchedules;
  beforeAll(async () => {
    service = await startService({}, 50);
    stored = await openStoredVersions(service.database);
    schedules = await openStoredSchedules(service.database);
  });
  afterAll(async () => {
    await stored.close();
    await schedules.close();
    await service.stop();
  });
  afterEach(() => {
    service.executions.setDown(false);
    service.executions.onReferences(undefined);
  });
  const editor = () => service.as('u1', 'editor');
  const create = async () => {
    const { workflow } = await service.gateway.createWorkflow(workflowOf([webhook(uuidv7())]), editor());
    return { workflowId: workflow?.id ?? '', first: workflow?.versionId ?? '' };
  };
  const replace = async (workflowId: string): Promise<string> => {
    const { definition } = workflowOf([webhook(uuidv7())]);
    const { workflow } = await service.gateway.replaceWorkflow(
      { workflowId, definition, ifVersionId: '', ifEtags: [] },
      editor(),
    );
    return workflow?.versionId ?? '';
  };
  const sendInline = async (workflowId: string, text: string): Promise<string> => {
    const definition = Buffer.from(
      JSON.stringify({
        nodes: [{ name: text, type: 'n8n-nodes-base.executeWorkflowTrigger', parameters: {} }],
        connections: {},
      }),
    );
    const { results } = await service.fromExecutions.prepareStarts({
      starts: [
        {
          workflowId,
          startNode: '',
          userId: '',
          role: '',
          projectIds: [],
          purpose: StartPurpose.START_PURPOSE_CALL,
          definition,
        },
      ],
    });
    const result = results[0]?.result;
    return result?.$case === 'prepared' ? result.value.versionId : '';
  };
  const isGone = (id: string) => until('the version is gone', async () => (await stored.find(id)) === undefined);
  const isReviewed = (id: string) =>
    until('the version is reviewed', async () => {
      const found = await stored.find(id);
      return found !== undefined && (found.reviewAt?.getTime() ?? 1) > 0 ? found : undefined;
    });
  const hoursAhead = (date: Date | undefined): number => ((date?.getTime() ?? 0) - Date.now()) / HOUR;

  it('are removed after two reviews: replaced versions and inline definitions', async () => {
    const { workflowId, first } = await create();
    const current = await replace(workflowId);
    const inline = await sendInline(workflowId, 'In');
    await stored.makeDue(first, current, inline);
    for (const id of [first, inline]) {
      expect(hoursAhead((await isReviewed(id)).reviewAt)).toBeCloseTo(1, 1);
      expect((await stored.find(id))?.foundUnusedAt).toBeDefined();
    }
    await stored.makeUnused(first, inline);
    await isGone(first);
    await isGone(inline);
    expect(await isReviewed(current)).not.toHaveProperty('reviewAt');
    expect(
      await service.fromExecutions.prepareStarts({
        starts: [{ workflowId, startNode: '', userId: '', role: '', projectIds: [] }],
      }),
    ).toMatchObject({ results: [{ result: { $case: 'prepared', value: { versionId: current } } }] });
  });

  it('are retained while an execution refers to them, however often they are reviewed', async () => {
    const { workflowId, first } = await create();
    await replace(workflowId);
    service.executions.referred.add(first);
    for (const make of [stored.makeDue, stored.makeUnused]) {
      await make(first);
      const found = await isReviewed(first);
      expect(hoursAhead(found.reviewAt)).toBeCloseTo(24, 1);
      expect(found).not.toHaveProperty('foundUnusedAt');
    }
  });

  it('are retained for longer than a webhook call is stored, and are not reviewed before', async () => {
    const { workflowId, first } = await create();
    await stored.makeDue(first);
    await isReviewed(first);
    const second = await replace(workflowId);
    for (const id of [first, second]) expect(hoursAhead((await stored.find(id))?.reviewAt)).toBeCloseTo(96, 1);
    const other = await create();
    await replace(other.workflowId);
    await stored.makeUnused(other.first);
    await isGone(other.first);
    expect(service.executions.references.flat()).not.toContain(first);
  });

  it('include the last versions of deleted workflows', async () => {
    const { workflowId, first } = await create();
    await stored.makeDue(first);
    expect(await isReviewed(first)).not.toHaveProperty('reviewAt');
    await service.gateway.deleteWorkflow({ workflowId, ifEtags: [] }, editor());
    expect(hoursAhead((await stored.find(first))?.reviewAt)).toBeCloseTo(96, 1);
    await stored.makeUnused(first);
    await isGone(first);
  });

  it('are retained if a start uses them during their review', async () => {
    const { workflowId } = await create();
    const [inline, read, gone] = [
      await sendInline(workflowId, 'Again'),
      await sendInline(workflowId, 'Read'),
      await sendInline(workflowId, 'Gone'),
    ];
    const used: string[] = [];
    service.executions.onReferences(async (ids) => {
      if (ids.includes(inline)) used.push(await sendInline(workflowId, 'Again'));
      if (ids.includes(read))
        used.push(
          ...(await service.fromExecutions.getVersions({ versionIds: [read] })).versions.map(
            ({ versionId }) => versionId,
          ),
        );
    });
    await stored.makeUnused(inline, read, gone);
    await isGone(gone);
    expect(used.sort()).toEqual([inline, read].sort());
    for (const id of [inline, read]) {
      const found = await isReviewed(id);
      expect(hoursAhead(found.reviewAt)).toBeCloseTo(24, 1);
      expect(found).not.toHaveProperty('foundUnusedAt');
    }
  });

  it('are stored again if a removed inline definition is sent again', async () => {
    const { workflowId } = await create();
    const inline = await sendInline(workflowId, 'Daily');
    await stored.makeUnused(inline);
    await isGone(inline);
    expect((await service.fromExecutions.getVersions({ versionIds: [inline] })).versions).toEqual([]);
    expect(await sendInline(workflowId, 'Daily')).toBe(inline);
    expect((await service.fromExecutions.getVersions({ versionIds: [inline] })).versions).toHaveLength(1);
  });

  it('are recorded as used at most once an hour', async () => {
    const { workflowId } = await create();
    const inline = await sendInline(workflowId, 'Often');
    const before = await stored.find(inline);
    await sendInline(workflowId, 'Often');
    expect(await stored.find(inline)).toEqual(before);
  });

  it('are retained while the executions service is unreachable, and are removed afterwards', async () => {
    const { workflowId, first } = await create();
    await replace(workflowId);
    service.executions.setDown(true);
    await stored.makeUnused(first);
    const seen = await stored.find(first);
    const turns = service.executions.refusedReferences();
    await until('it was asked twice', () => service.executions.refusedReferences() > turns + 1);
    expect(await stored.find(first)).toEqual(seen);
    service.executions.setDown(false);
    await isGone(first);
  });

  it('are reviewed a hundred at a time, by one of the replicas', async () => {
    const { workflowId, first } = await create();
    await service.addReplica();
    const signs = await schedules.replicas();
    await until('the replicas know each other', async () =>
      (await schedules.replicas()).every(
        ({ _id, beat }) => beat > 2 + (signs.find((sign) => sign._id === _id)?.beat ?? 0),
      ),
    );
    const asked = service.executions.references.length;
    const old = Array.from({ length: 250 }, () => uuidv7());
    await stored.addOld(old, workflowId);
    await until('they are gone', async () =>
      (await Promise.all(old.map(stored.find))).every((found) => found === undefined),
    );
    const questions = service.executions.references.slice(asked);
    expect(Math.max(...questions.map((ids) => ids.length))).toBe(100);
    expect(questions.flat().sort()).toEqual([...old].sort());
    expect(await stored.find(first)).toBeDefined();
  });
});
