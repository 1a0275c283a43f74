import { ExecutionMode, type ExecutionStart } from '@weft/proto/executions';
import { ServiceError, Unavailable } from '@weft/service-kit/errors';
import { until } from '@weft/service-kit/testing';
import { node, workflowOf } from '../support/definitions';
import { OFTEN, startService, type TestService } from '../support/start-service';
import { openStoredSchedules, type StoredSchedules } from '../support/stored-schedules';

const HOUR = 3_600_000;
const everySecond = { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } };
const hourly = { rule: { interval: [{ field: 'hours', triggerAtMinute: 0 }] } };
const monthly = { rule: { interval: [{ field: 'months', triggerAtDayOfMonth: 1 }] } };

describe('due schedules', () => {
  let service: TestService;
  let stored: StoredSchedules;
  beforeAll(async () => {
    service = await startService({ ...OFTEN, DEFAULT_TIMEZONE: 'Asia/Kathmandu' });
    stored = await openStoredSchedules(service.database);
  });
  afterAll(async () => {
    await stored.close();
    await service.stop();
  });
  const editor = () => service.as('u1', 'editor');
  const create = async (parameters: object, kind = 'scheduleTrigger', settings: object = {}) =>
    (
      await service.gateway.createWorkflow(
        workflowOf([node('Clock', kind, parameters)], { active: true, settings }),
        editor(),
      )
    ).workflow;
  const startsOf = (workflowId: string | undefined): ExecutionStart[] =>
    service.executions.started.filter((start) => start.workflowId === workflowId);
  const dueTimes = (workflowId: string | undefined): number[] =>
    startsOf(workflowId).map((start) => Date.parse(start.idempotencyKey));
  const stop = (workflowId: string | undefined) =>
    service.gateway.deactivateWorkflow({ workflowId: workflowId ?? '', ifEtags: [] }, editor());
  const started = (workflowId: string | undefined, count: number) =>
    until(`${count} starts`, () => startsOf(workflowId).length >= count && startsOf(workflowId));

  it('start the live version at its trigger, with the fields of the due time', async () => {
    const workflow = await create(everySecond);
    const [start] = await started(workflow?.id, 1);
    await stop(workflow?.id);
    expect(start).toMatchObject({
      versionId: workflow?.versionId,
      ownerId: 'u1',
      startNode: 'Clock',
      mode: ExecutionMode.EXECUTION_MODE_TRIGGER,
    });
    const [item] = JSON.parse(start?.input.toString() ?? '');
    expect(Date.parse(item.json.timestamp)).toBe(Date.parse(start?.idempotencyKey ?? ''));
    expect(item.json).toMatchObject({ Timezone: 'Asia/Kathmandu (UTC+05:45)' });
  });

  it('use the time zone of the workflow if it sets one', async () => {
    const workflow = await create({ rule: { interval: [{ field: 'days', triggerAtHour: 9 }] } }, 'scheduleTrigger', {
      timezone: 'America/New_York',
    });
    const [schedule] = await stored.of(workflow?.id ?? '');
    expect(schedule?.nextAt?.toLocaleTimeString('en-US', { timeZone: 'America/New_York' })).toBe('9:00:00 AM');
  });

  it('start the older triggers with an empty item', async () => {
    const workflow = await create({ interval: 1, unit: 'seconds' }, 'interval');
    const [start] = await started(workflow?.id, 1);
    await stop(workflow?.id);
    expect(start?.input.toString()).toBe('[{"json":{}}]');
  });

  it('poll at once after activation, then at their times, whatever the policy of the workflow', async () => {
    const workflow = await create({ feedUrl: 'http://feed.example/' }, 'rssFeedReadTrigger', {
      schedule: { missed: 'all', overlap: 'skip' },
    });
    const [start] = await started(workflow?.id, 1);
    expect(start?.mode).toBe(ExecutionMode.EXECUTION_MODE_TRIGGER);
    expect(start?.exclusiveKey).toBeUndefined();
    expect(start?.input.toString()).toBe('[{"json":{}}]');
    const [schedule] = await until('the next due time', async () => {
      const schedules = await stored.of(workflow?.id ?? '');
      return schedules[0]?.lastDue !== undefined && schedules;
    });
    await stop(workflow?.id);
    expect(schedule).toMatchObject({ item: 'poll', missed: 'coalesce', overlap: 'allow' });
    expect((schedule?.nextAt?.getTime() ?? 1) % 60_000).toBe(0);
  });

  it('start nothing once the workflow is deactivated', async () => {
    const workflow = await create(everySecond);
    await started(workflow?.id, 1);
    await stop(workflow?.id);
    const other = await create(everySecond);
    const count = startsOf(workflow?.id).length;
    await started(other?.id, 2);
    await stop(other?.id);
    expect(startsOf(workflow?.id)).toHaveLength(count);
  });

  it('that were missed are caught up on by one run, and continue', async () => {
    const workflow = await create(hourly);
    const missed = new Date(Math.floor(Date.now() / HOUR) * HOUR - 5 * HOUR);
    await stored.setDue(workflow?.id ?? '', missed);
    await started(workflow?.id, 1);
    const [schedule] = await until('the next due time', async () => {
      const schedules = await stored.of(workflow?.id ?? '');
      return (schedules[0]?.nextAt?.getTime() ?? 0) > Date.now() && schedules;
    });
    expect(dueTimes(workflow?.id)).toEqual([missed.getTime()]);
    expect(schedule?.lastDue).toEqual(missed);
  });

  it('that were missed for longer than a day are caught up on only if one of them is younger', async () => {
    const [often, seldom] = [await create(hourly), await create(monthly)];
    const missed = new Date(Date.now() - 72 * HOUR);
    for (const workflow of [often, seldom]) await stored.setDue(workflow?.id ?? '', missed);
    await until('both schedules move on', async () => {
      const schedules = [...(await stored.of(often?.id ?? '')), ...(await stored.of(seldom?.id ?? ''))];
      return schedules.every(({ nextAt }) => (nextAt?.getTime() ?? 0) > Date.now());
    });
    // The first of a month may lie within the last day.
    const isFirst = [0, 24 * HOUR].some((ago) => new Date(Date.now() - ago + 5.75 * HOUR).getUTCDate() === 1);
    expect([startsOf(often?.id).length, startsOf(seldom?.id).length]).toEqual([1, isFirst ? 1 : 0]);
  });

  it('lose no due time while the executions service is down', async () => {
    const workflow = await create(hourly);
    const due = new Date(Date.now() - 1_000);
    service.executions.setDown(true);
    const asked = service.executions.asked();
    await stored.setDue(workflow?.id ?? '', due);
    await until('some tries', () => service.executions.asked() > asked + 2);
    expect((await stored.of(workflow?.id ?? ''))[0]?.nextAt).toEqual(due);
    service.executions.setDown(false);
    await started(workflow?.id, 1);
    expect(dueTimes(workflow?.id)).toEqual([due.getTime()]);
  });

  it('that fail do not delay others: a transient failure is retried, a refusal is skipped', async () => {
    const [failing, refused, fine] = [await create(hourly), await create(hourly), await create(hourly)];
    const due = new Date(Date.now() - 1_000);
    service.executions.refuse(failing?.id ?? '', new Unavailable('full'));
    service.executions.refuse(
      refused?.id ?? '',
      new ServiceError({ reason: 'WORKFLOW_NOT_RUNNABLE', kind: 'invalid', message: 'no' }),
    );
    for (const workflow of [failing, refused, fine]) await stored.setDue(workflow?.id ?? '', due);
    await started(fine?.id, 1);
    await until(
      'the refused one moves on',
      async () => ((await stored.of(refused?.id ?? ''))[0]?.nextAt?.getTime() ?? 0) > Date.now(),
    );
    expect((await stored.of(failing?.id ?? ''))[0]?.nextAt).toEqual(due);
    service.executions.refuse(failing?.id ?? '', undefined);
    await started(failing?.id, 1);
    expect(dueTimes(failing?.id)).toEqual([due.getTime()]);
  });

  it('fire even behind more than a page of failing ones', async () => {
    const failing: Awaited<ReturnType<typeof create>>[] = [];
    for (let batch = 0; batch < 13; batch += 1)
      failing.push(...(await Promise.all(Array.from({ length: 10 }, () => create(hourly)))));
    const fine = await create(hourly);
    for (const workflow of failing) service.executions.refuse(workflow?.id ?? '', new Unavailable('full'));
    const due = new Date(Date.now() - 1_000);
    for (const workflow of [...failing, fine]) await stored.setDue(workflow?.id ?? '', due);
    await started(fine?.id, 1);
    await Promise.all(failing.map((workflow) => stop(workflow?.id)));
  });

  it('advance if the same due time was started before, by another version', async () => {
    const workflow = await create(hourly);
    service.executions.refuse(
      workflow?.id ?? '',
      new ServiceError({ reason: 'IDEMPOTENCY_KEY_REUSED', kind: 'conflict', message: 'reused' }),
    );
    await stored.setDue(workflow?.id ?? '', new Date(Date.now() - 1_000));
    await until(
      'it moves on',
      async () => ((await stored.of(workflow?.id ?? ''))[0]?.nextAt?.getTime() ?? 0) > Date.now(),
    );
  });

  it('keep their due times over a replacement that leaves them unchanged, and restart if it changes them', async () => {
    const workflow = await create({ interval: 10, unit: 'hours' }, 'interval');
    const [before] = await stored.of(workflow?.id ?? '');
    const replace = (parameters: object) =>
      service.gateway.replaceWorkflow(
        {
          ...workflowOf([node('Clock', 'interval', parameters), node('Set', 'set')]),
          workflowId: workflow?.id ?? '',
          ifVersionId: '',
          ifEtags: [],
        },
        editor(),
      );
    await replace({ interval: 10, unit: 'hours' });
    expect((await stored.of(workflow?.id ?? ''))[0]?.nextAt).toEqual(before?.nextAt);
    await replace({ interval: 11, unit: 'hours' });
    const [after] = await stored.of(workflow?.id ?? '');
    expect(after?.nextAt?.getTime()).toBeGreaterThan((before?.nextAt?.getTime() ?? 0) + HOUR - 1);
  });

  it('of one node that are due together make one start', async () => {
    const workflow = await create({
      rule: {
        interval: [
          { field: 'seconds', secondsInterval: 1 },
          { field: 'cronExpression', expression: '* * * * * *' },
        ],
      },
    });
    await started(workflow?.id, 2);
    await stop(workflow?.id);
    expect(new Set(dueTimes(workflow?.id)).size).toBe(dueTimes(workflow?.id).length);
  });

  describe('whose start fails', () => {
    const troubleOf = async (workflowId: string | undefined) => (await stored.of(workflowId ?? ''))[0]?.trouble;

    it('inside the executions service are retried at growing intervals, and report the error', async () => {
      const workflow = await create(hourly);
      service.executions.refuse(
        workflow?.id ?? '',
        new ServiceError({ reason: 'INTERNAL_ERROR', kind: 'internal', message: 'it broke' }),
      );
      await stored.setDue(workflow?.id ?? '', new Date(Date.now() - 1_000));
      const trouble = await until('two tries', async () => {
        const found = await troubleOf(workflow?.id);
        return (found?.count ?? 0) >= 2 && found;
      });
      expect(trouble).toMatchObject({ reason: 'INTERNAL_ERROR', message: 'it broke' });
      expect(trouble?.retryAt?.getTime()).toBeGreaterThan(Date.now());
      service.executions.refuse(workflow?.id ?? '', undefined);
      await started(workflow?.id, 1);
      await until('the trouble is over', async () => (await troubleOf(workflow?.id)) === undefined);
    });

    it('permanently report the error, and pause for growing intervals', async () => {
      const workflow = await create(everySecond);
      service.executions.refuse(
        workflow?.id ?? '',
        new ServiceError({ reason: 'WORKFLOW_NOT_RUNNABLE', kind: 'invalid', message: 'no' }),
      );
      await until('three refusals', async () => ((await troubleOf(workflow?.id))?.count ?? 0) >= 3, 20_000);
      const [schedule] = await stored.of(workflow?.id ?? '');
      expect(schedule?.trouble).toMatchObject({ reason: 'WORKFLOW_NOT_RUNNABLE' });
      // After three in a row: 8 s, although it is due every second.
      expect(schedule?.nextAt?.getTime()).toBeGreaterThan(Date.now() + 3_000);
      await stop(workflow?.id);
    });
  });

  describe('under a policy of the workflow', () => {
    const under = (schedule: object, parameters: object = hourly) =>
      create(parameters, 'scheduleTrigger', { timezone: 'UTC', schedule });
    const advanced = (workflowId: string | undefined) =>
      until(
        'the schedule moves on',
        async () => ((await stored.of(workflowId ?? ''))[0]?.nextAt?.getTime() ?? 0) > Date.now(),
      );
    const missed = new Date(Math.floor(Date.now() / HOUR) * HOUR - 5 * HOUR);

    it('skip starts no missed due time', async () => {
      const workflow = await under({ missed: 'skip' });
      await stored.setDue(workflow?.id ?? '', missed);
      await advanced(workflow?.id);
      // A full hour may just have passed.
      const isOnTime = Date.now() % HOUR < 60_000;
      expect(startsOf(workflow?.id)).toHaveLength(isOnTime ? 1 : 0);
    });

    it('all runs each missed due time, in order', async () => {
      const workflow = await under({ missed: 'all' });
      await stored.setDue(workflow?.id ?? '', missed);
      await started(workflow?.id, 6);
      await advanced(workflow?.id);
      expect(dueTimes(workflow?.id)).toEqual(Array.from({ length: 6 }, (_, n) => missed.getTime() + n * HOUR));
    });

    it('overlap skip starts nothing during a run, and continues after it', async () => {
      const workflow = await under({ overlap: 'skip' }, everySecond);
      await started(workflow?.id, 1);
      const [first = 0] = dueTimes(workflow?.id);
      await until(
        'two due times are passed over',
        async () => ((await stored.of(workflow?.id ?? ''))[0]?.lastDue?.getTime() ?? 0) >= first + 2_000,
      );
      expect(startsOf(workflow?.id)).toHaveLength(1);
      service.executions.end(workflow?.id ?? '');
      await started(workflow?.id, 2);
      await stop(workflow?.id);
      expect(dueTimes(workflow?.id)[1]).toBeGreaterThanOrEqual(first + 3_000);
    });

    it('overlap buffer-one retains one due time until the run has ended, and skips the others', async () => {
      const workflow = await under({ overlap: 'buffer-one' }, everySecond);
      await started(workflow?.id, 1);
      const [first = 0] = dueTimes(workflow?.id);
      await until('it has waited', () => Date.now() > first + 3_500);
      expect((await stored.of(workflow?.id ?? ''))[0]?.trouble).toMatchObject({ reason: 'EXECUTION_OVERLAPS' });
      service.executions.end(workflow?.id ?? '');
      await started(workflow?.id, 2);
      await until(
        'the schedule continues from now',
        async () => ((await stored.of(workflow?.id ?? ''))[0]?.nextAt?.getTime() ?? 0) > first + 3_500,
      );
      await stop(workflow?.id);
      expect(dueTimes(workflow?.id).slice(0, 2)).toEqual([first, first + 1_000]);
    });

    it('that is unknown is refused at activation, with its field', async () => {
      const workflow = await under({ missed: 'sometimes' });
      expect(workflow?.active).toBe(false);
      const activation = { workflowId: workflow?.id ?? '', ifEtags: [] };
      await expect(service.gateway.activateWorkflow(activation, editor())).rejects.toMatchObject({
        reason: 'WORKFLOW_NOT_RUNNABLE',
        fields: [{ field: 'settings.schedule.missed' }],
      });
    });
  });

  it('are taken over from a replica that was killed', async () => {
    const workflows = await Promise.all(Array.from({ length: 12 }, () => create(hourly)));
    for (const name of ['killed-1', 'killed-2', 'killed-3']) await stored.addKilledReplica(name);
    const beat = async (): Promise<number> => Math.max(...(await stored.replicas()).map((one) => one.beat));
    const before = await beat();
    await until('the service has seen them', async () => (await beat()) > before + 1);
    const due = new Date(Date.now() - 1_000);
    for (const workflow of workflows) await stored.setDue(workflow?.id ?? '', due);
    for (const workflow of workflows) await started(workflow?.id, 1);
    for (const workflow of workflows) expect(dueTimes(workflow?.id)).toEqual([due.getTime()]);
    await stored.removeKilledReplicas();
  });

  it('are started once each, in order, while several replicas race', async () => {
    await Promise.all([service.addReplica(), service.addReplica(), service.addReplica()]);
    // Replicas discover each other after a few heartbeats; starts sent twice until then count once.
    await until('the replicas know each other', async () => (await stored.replicas()).length === 4);
    await until('a few signs of life', async () => (await stored.replicas()).every(({ beat }) => beat > 5));
    const before = { asked: service.executions.asked(), started: service.executions.started.length };
    const workflows = await Promise.all(Array.from({ length: 10 }, () => create(everySecond)));
    await Promise.all(workflows.map((workflow) => started(workflow?.id, 4)));
    await Promise.all(workflows.map((workflow) => stop(workflow?.id)));
    // Each replica handles its share, so hardly any start is sent twice.
    expect(service.executions.asked() - before.asked).toBeLessThan(
      1.3 * (service.executions.started.length - before.started),
    );
    for (const workflow of workflows) {
      const steps = dueTimes(workflow?.id).map((due, index, all) => due - (all[index - 1] ?? due - 1_000));
      expect(steps.filter((step) => step <= 0 || step % 1_000 !== 0)).toEqual([]);
    }
  });
});
