import { StartPurpose } from '@weft/proto/workflows';
import { uuidv7 } from '@weft/service-kit/ids';
import { until } from '@weft/service-kit/testing';
import { webhook, workflowOf } from './support/definitions';
import { startService, type TestService } from './support/start-service';
import { openStoredSchedules, type StoredSchedules } from './support/stored-schedules';
import { openStoredVersions, type StoredVersions } from './support/stored-versions';

const HOUR = 3_600_000;

describe('versions that nothing needs', () => {
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
    const { workflow } = await service.gateway.replaceWorkflow({ workflowId, definition, ifVersionId: '' }, editor());
    return workflow?.versionId ?? '';
  };
  const give = async (workflowId: string, text: string): Promise<string> => {
    const definition = Buffer.from(
      JSON.stringify({
        nodes: [{ name: text, type: 'n8n-nodes-base.executeWorkflowTrigger', parameters: {} }],
        connections: {},
      }),
    );
    const { results } = await service.fromExecutions.prepareStarts({
      starts: [
        { workflowId, startNode: '', userId: '', role: '', purpose: StartPurpose.START_PURPOSE_CALL, definition },
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

  it('go after two reviews: those that were replaced, and definitions that came with a start', async () => {
    const { workflowId, first } = await create();
    const current = await replace(workflowId);
    const given = await give(workflowId, 'In');
    await stored.makeDue(first, current, given);
    for (const id of [first, given]) {
      expect(hoursAhead((await isReviewed(id)).reviewAt)).toBeCloseTo(1, 1);
      expect((await stored.find(id))?.foundUnusedAt).toBeDefined();
    }
    await stored.makeUnused(first, given);
    await isGone(first);
    await isGone(given);
    expect(await isReviewed(current)).not.toHaveProperty('reviewAt');
    expect(
      await service.fromExecutions.prepareStarts({ starts: [{ workflowId, startNode: '', userId: '', role: '' }] }),
    ).toMatchObject({ results: [{ result: { $case: 'prepared', value: { versionId: current } } }] });
  });

  it('stay while an execution needs them, however often they are reviewed', async () => {
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

  it('stay for longer than a kept call of a webhook may wait, and are not asked about before', async () => {
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

  it('are the current ones of deleted workflows too', async () => {
    const { workflowId, first } = await create();
    await stored.makeDue(first);
    expect(await isReviewed(first)).not.toHaveProperty('reviewAt');
    await service.gateway.deleteWorkflow({ workflowId }, editor());
    expect(hoursAhead((await stored.find(first))?.reviewAt)).toBeCloseTo(96, 1);
    await stored.makeUnused(first);
    await isGone(first);
  });

  it('stay when a start uses them while they are being reviewed', async () => {
    const { workflowId } = await create();
    const [given, read, gone] = [
      await give(workflowId, 'Again'),
      await give(workflowId, 'Read'),
      await give(workflowId, 'Gone'),
    ];
    const used: string[] = [];
    service.executions.onReferences(async (ids) => {
      if (ids.includes(given)) used.push(await give(workflowId, 'Again'));
      if (ids.includes(read))
        used.push(
          ...(await service.fromExecutions.getVersions({ versionIds: [read] })).versions.map(
            ({ versionId }) => versionId,
          ),
        );
    });
    await stored.makeUnused(given, read, gone);
    await isGone(gone);
    expect(used.sort()).toEqual([given, read].sort());
    for (const id of [given, read]) {
      const found = await isReviewed(id);
      expect(hoursAhead(found.reviewAt)).toBeCloseTo(24, 1);
      expect(found).not.toHaveProperty('foundUnusedAt');
    }
  });

  it('are stored again when a definition that is gone is given again', async () => {
    const { workflowId } = await create();
    const given = await give(workflowId, 'Daily');
    await stored.makeUnused(given);
    await isGone(given);
    expect((await service.fromExecutions.getVersions({ versionIds: [given] })).versions).toEqual([]);
    expect(await give(workflowId, 'Daily')).toBe(given);
    expect((await service.fromExecutions.getVersions({ versionIds: [given] })).versions).toHaveLength(1);
  });

  it('are noted as used once an hour at most', async () => {
    const { workflowId } = await create();
    const given = await give(workflowId, 'Often');
    const before = await stored.find(given);
    await give(workflowId, 'Often');
    expect(await stored.find(given)).toEqual(before);
  });

  it('stay while the executions service cannot be asked, and go afterwards', async () => {
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

  it('are asked about a hundred at a time, by one of the replicas', async () => {
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
