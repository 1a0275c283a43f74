import { BackfillState, type StartBackfillRequest } from '@weft/proto/schedules';
import type { ExecutionStart } from '@weft/proto/executions';
import { ServiceError } from '@weft/service-kit/errors';
import { connectDatabase, type Database } from '@weft/service-kit/mongo';
import { joinReplicas } from '@weft/service-kit/replicas';
import { closeAfterEach, testLogger, testMongodbUri, until } from '@weft/service-kit/testing';
import { node, workflowOf } from '../support/definitions';
import { OFTEN, startService, type TestService } from '../support/start-service';

const at = (text: string): Date => new Date(text);
const daily = { rule: { interval: [{ field: 'days', triggerAtHour: 2, triggerAtMinute: 30 }] } };
const hourly = { rule: { interval: [{ field: 'hours', triggerAtMinute: 0 }] } };

describe('ScheduleService', () => {
  const later = closeAfterEach();
  let service: TestService;
  let database: Database;
  beforeAll(async () => {
    service = await startService(OFTEN);
    database = await connectDatabase(testMongodbUri(), service.database);
  });
  afterAll(async () => {
    await database.close();
    await service.stop();
  });
  const editor = () => service.as('u1', 'editor');
  const create = async (parameters: object = hourly, settings: object = {}, active = false): Promise<string> =>
    (
      await service.gateway.createWorkflow(
        workflowOf([node('Clock', 'scheduleTrigger', parameters)], { active, settings }),
        editor(),
      )
    ).workflow?.id ?? '';
  const startsOf = (workflowId: string): ExecutionStart[] =>
    service.executions.started.filter((start) => start.workflowId === workflowId);
  const duesOf = (workflowId: string): string[] =>
    startsOf(workflowId)
      .map(({ idempotencyKey }) => idempotencyKey)
      .sort();

  describe('PreviewSchedule', () => {
    it('returns the next due times in the time zone, over a clock change', async () => {
      const workflowId = await create(daily, { timezone: 'Europe/Berlin', schedule: { overlap: 'skip' } }, true);
      await database.connection
        .collection<{ _id: string }>('workflows')
        .updateOne({ _id: workflowId }, { $set: { 'activation.schedules.0.nextAt': at('2027-03-27T01:30:00Z') } });
      const { active, schedules, next } = await service.schedules.previewSchedule({ workflowId, count: 3 }, editor());
      expect([active, schedules]).toMatchObject([
        true,
        [{ node: 'Clock', timezone: 'Europe/Berlin', missed: 'coalesce', overlap: 'skip' }],
      ]);
      expect(next.map(({ dueAt, localTime }) => [dueAt?.toISOString(), localTime])).toEqual([
        ['2027-03-27T01:30:00.000Z', '2027-03-27T02:30:00.000+01:00'],
        // The clock skips 02:30 on this day.
        ['2027-03-28T01:00:00.000Z', '2027-03-28T03:00:00.000+02:00'],
        ['2027-03-29T00:30:00.000Z', '2027-03-29T02:30:00.000+02:00'],
      ]);
    });

    it('shows an inactive workflow as if it were activated now, and one without schedules as it is', async () => {
      const { active, next } = await service.schedules.previewSchedule(
        { workflowId: await create(), count: 0 },
        editor(),
      );
      expect([active, next.length]).toEqual([false, 10]);
      expect(
        next.every(
          ({ dueAt }, index) => (dueAt?.getTime() ?? 0) - (next[0]?.dueAt?.getTime() ?? 0) === index * 3_600_000,
        ),
      ).toBe(true);
      const plain =
        (await service.gateway.createWorkflow(workflowOf([node('Hook', 'webhook', { path: 'preview' })]), editor()))
          .workflow?.id ?? '';
      expect(await service.schedules.previewSchedule({ workflowId: plain, count: 5 }, editor())).toEqual({
        active: false,
        schedules: [],
        next: [],
        registrations: [],
      });
    });

    it('refuses too many times, and an unknown workflow', async () => {
      await expect(
        service.schedules.previewSchedule({ workflowId: await create(), count: 101 }, editor()),
      ).rejects.toMatchObject({ kind: 'invalid', fields: [{ field: 'count' }] });
      await expect(service.schedules.previewSchedule({ workflowId: 'none', count: 1 }, editor())).rejects.toMatchObject(
        { reason: 'WORKFLOW_NOT_FOUND' },
      );
    });
  });

  describe('lists of all workflows', () => {
    it('page through schedules, the next due first, and leave out those of inactive workflows', async () => {
      const due = async (hours: number): Promise<string> => {
        const hourly = { rule: { interval: [{ field: 'hours', hoursInterval: hours }] } };
        const definition = workflowOf([node('Clock', 'scheduleTrigger', hourly)]);
        const { workflow } = await service.gateway.createWorkflow({ ...definition, active: true }, editor());
        return workflow?.id ?? '';
      };
      const ids = [await due(9), await due(1), await due(4)];
      const inactive = await create();
      const seen: string[] = [];
      let cursor = '';
      do {
        const page = await service.schedules.listSchedules({ limit: 2, cursor }, editor());
        expect(page.schedules.length).toBeLessThanOrEqual(2);
        seen.push(...page.schedules.map(({ workflowId }) => workflowId));
        cursor = page.nextCursor;
      } while (cursor !== '');
      const [nine, one, four] = ids;
      expect(seen.filter((id) => ids.includes(id))).toHaveLength(3);
      expect(seen).not.toContain(inactive);
      const { schedules } = await service.schedules.listSchedules({ limit: 100, cursor: '' }, editor());
      const dueAt = (id: string | undefined) =>
        schedules.find(({ workflowId }) => workflowId === id)?.schedule?.nextAt?.getTime() ?? 0;
      const byDue = [nine, one, four].toSorted((a, b) => dueAt(a) - dueAt(b) || ((a ?? '') < (b ?? '') ? -1 : 1));
      expect(seen.filter((id) => ids.includes(id))).toEqual(byDue);
    });

    it('page through backfills, newest first, perhaps in one state', async () => {
      const workflowId = await create();
      const period = { from: at('2026-03-10T00:00:00Z'), to: at('2026-03-10T01:00:00Z') };
      const start = { workflowId, ...period, node: '', concurrency: 1, dryRun: false };
      const first = (await service.schedules.startBackfill(start, editor())).backfill?.id ?? '';
      await service.schedules.cancelBackfill({ backfillId: first }, editor());
      const second = (await service.schedules.startBackfill(start, editor())).backfill?.id ?? '';
      const list = async (fields: object) =>
        service.schedules.listBackfills({ workflowId: '', limit: 100, ...fields }, editor());
      const idsOf = async (fields: object) => (await list(fields)).backfills.map(({ id }) => id);
      const all = await idsOf({});
      expect(all.indexOf(second)).toBe(all.indexOf(first) - 1);
      expect(await idsOf({ state: BackfillState.BACKFILL_STATE_CANCELLED })).toContain(first);
      expect(await idsOf({ state: BackfillState.BACKFILL_STATE_CANCELLED })).not.toContain(second);
      const page = await list({ limit: 1 });
      expect(page.backfills).toHaveLength(1);
      expect((await idsOf({ limit: 1, cursor: page.nextCursor }))[0]).toBe(all[1]);
      await service.schedules.cancelBackfill({ backfillId: second }, editor());
    });
  });

  describe('backfills', () => {
    const period = { from: at('2026-03-10T00:00:00Z'), to: at('2026-03-10T09:00:00Z') };
    const params = (workflowId: string, fields: Partial<StartBackfillRequest> = {}): StartBackfillRequest => ({
      workflowId,
      ...period,
      node: '',
      concurrency: 0,
      dryRun: false,
      ...fields,
    });
    const begin = async (workflowId: string, fields: Partial<StartBackfillRequest> = {}) =>
      (await service.schedules.startBackfill(params(workflowId, fields), editor())).backfill;
    const find = async (workflowId: string) =>
      (await service.schedules.listBackfills({ workflowId }, editor())).backfills;
    const done = (workflowId: string) =>
      until('the backfill is over', async () => {
        const [last] = await find(workflowId);
        return last?.state !== BackfillState.BACKFILL_STATE_RUNNING && last;
      });
    /** Repeatedly ends the runs of a workflow, as runners would. */
    const endRuns = (workflowId: string): (() => void) => {
      const timer = setInterval(() => service.executions.end(workflowId), 20);
      return later(
        () => clearInterval(timer),
        (stop) => stop(),
      );
    };
    const hours = Array.from({ length: 10 }, (_, hour) => `2026-03-10T0${hour}:00:00.000Z`);

    it('leave out polling triggers', async () => {
      const definition = workflowOf([node('Feed', 'rssFeedReadTrigger', { feedUrl: 'http://feed.example/' })]);
      const { workflow } = await service.gateway.createWorkflow(definition, editor());
      await expect(begin(workflow?.id ?? '')).rejects.toMatchObject({
        fields: [{ field: 'node', message: expect.stringContaining('polling triggers cannot be backfilled') }],
      });
    });

    it('start one run for each due time, both ends included, and none when the period is repeated', async () => {
      const workflowId = await create();
      const stopEnding = endRuns(workflowId);
      expect(await begin(workflowId)).toMatchObject({
        state: BackfillState.BACKFILL_STATE_RUNNING,
        total: 10,
        concurrency: 5,
      });
      expect(await done(workflowId)).toMatchObject({
        state: BackfillState.BACKFILL_STATE_DONE,
        started: 10,
        existing: 0,
        refused: 0,
      });
      expect(duesOf(workflowId)).toEqual(hours);
      await begin(workflowId);
      expect(await done(workflowId)).toMatchObject({
        state: BackfillState.BACKFILL_STATE_DONE,
        started: 0,
        existing: 10,
      });
      stopEnding();
      expect(startsOf(workflowId)).toHaveLength(10);
    });

    it('only count due times in a dry run', async () => {
      const workflowId = await create();
      expect(await begin(workflowId, { dryRun: true })).toMatchObject({ id: '', total: 10, started: 0 });
      expect(await find(workflowId)).toEqual([]);
    });

    it('run at most their concurrency, and continue when a run ends', async () => {
      const workflowId = await create();
      const begun = await begin(workflowId, { concurrency: 2 });
      await until('two are started', () => startsOf(workflowId).length === 2);
      const asked = service.executions.asked();
      await until('more were asked for', () => service.executions.asked() > asked + 2);
      expect(startsOf(workflowId)).toHaveLength(2);
      service.executions.end(workflowId);
      await until('the next are started', () => startsOf(workflowId).length === 4);
      const { backfill } = await service.schedules.cancelBackfill({ backfillId: begun?.id ?? '' }, editor());
      expect(backfill?.state).toBe(BackfillState.BACKFILL_STATE_CANCELLED);
      service.executions.end(workflowId);
      expect(await done(workflowId)).toMatchObject({ state: BackfillState.BACKFILL_STATE_CANCELLED });
    });

    it('are continued by another replica if theirs is killed', async () => {
      const workflowId = await create();
      const stopEnding = endRuns(workflowId);
      // Killed replicas keep their share until their heartbeats have been missing for a while.
      for (let count = 0; count < 3; count += 1)
        later(await joinReplicas({ connection: database.connection, everyMs: 600_000, logger: testLogger() }), (dead) =>
          dead.stop(),
        );
      const ids = await Promise.all([
        begin(workflowId, { concurrency: 1 }),
        begin(workflowId, { concurrency: 1 }),
        begin(workflowId, { concurrency: 1 }),
      ]);
      expect(ids).toHaveLength(3);
      await until(
        'all are done',
        async () => (await find(workflowId)).every(({ state }) => state === BackfillState.BACKFILL_STATE_DONE),
        30_000,
      );
      stopEnding();
      expect(duesOf(workflowId)).toEqual(hours);
    });

    it('fail if every start is refused, and report the error', async () => {
      const workflowId = await create();
      service.executions.refuse(
        workflowId,
        new ServiceError({ reason: 'WORKFLOW_NOT_RUNNABLE', kind: 'invalid', message: 'no' }),
      );
      await begin(workflowId, { to: at('2026-03-12T00:00:00Z') });
      expect(await done(workflowId)).toMatchObject({
        state: BackfillState.BACKFILL_STATE_FAILED,
        started: 0,
        reason: 'WORKFLOW_NOT_RUNNABLE',
      });
    });

    it.each<[string, Partial<StartBackfillRequest>, string]>([
      ['without a beginning', { from: undefined }, 'from'],
      ['that ends before it begins', { from: at('2026-03-11T00:00:00Z') }, 'from'],
      ['that lies ahead', { to: new Date(Date.now() + 3_600_000) }, 'to'],
      ['of a node without a schedule', { node: 'Hook' }, 'node'],
      ['with too many runs at a time', { concurrency: 21 }, 'concurrency'],
      ['with too many due times', { from: at('2020-01-01T00:00:00Z') }, 'to'],
    ])('%s are refused', async (_, fields, field) => {
      await expect(begin(await create(), fields)).rejects.toMatchObject({ kind: 'invalid', fields: [{ field }] });
    });

    it('are allowed to users who may change the workflow, three at a time', async () => {
      const workflowId = await create();
      await expect(
        service.schedules.startBackfill(params(workflowId), service.as('u2', 'editor')),
      ).rejects.toMatchObject({ kind: 'forbidden' });
      for (let n = 0; n < 3; n += 1) await begin(workflowId, { concurrency: 1 });
      await expect(begin(workflowId)).rejects.toMatchObject({ reason: 'TOO_MANY_BACKFILLS' });
      const [last] = await find(workflowId);
      await expect(
        service.schedules.cancelBackfill({ backfillId: last?.id ?? '' }, service.as('u2', 'editor')),
      ).rejects.toMatchObject({ kind: 'forbidden' });
      await expect(service.schedules.cancelBackfill({ backfillId: 'none' }, editor())).rejects.toMatchObject({
        reason: 'BACKFILL_NOT_FOUND',
      });
      for (const { id } of await find(workflowId)) await service.schedules.cancelBackfill({ backfillId: id }, editor());
    });
  });
});
