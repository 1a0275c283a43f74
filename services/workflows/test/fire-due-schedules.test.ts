import { ExecutionMode, type ExecutionStart } from '@weft/proto/executions';
import { ServiceError, Unavailable } from '@weft/service-kit/errors';
import { until } from '@weft/service-kit/testing';
import { node, workflowOf } from './support/definitions';
import { startService, type TestService } from './support/start-service';
import { openStoredSchedules, type StoredSchedules } from './support/stored-schedules';

const HOUR = 3_600_000;
const everySecond = { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } };
const hourly = { rule: { interval: [{ field: 'hours', triggerAtMinute: 0 }] } };
const monthly = { rule: { interval: [{ field: 'months', triggerAtDayOfMonth: 1 }] } };

describe('due schedules', () => {
  let service: TestService;
  let stored: StoredSchedules;
  beforeAll(async () => {
    service = await startService({ DEFAULT_TIMEZONE: 'Asia/Kathmandu' });
    stored = await openStoredSchedules(service.database);
  });
  afterAll(async () => {
    await stored.close();
    await service.stop();
  });
  const editor = () => service.as('u1', 'editor');
  const create = async (parameters: object, kind = 'scheduleTrigger', settingsJson = '{}') =>
    (await service.gateway.createWorkflow(workflowOf([node('Clock', kind, parameters)], { active: true, settingsJson }), editor())).workflow;
  const startsOf = (workflowId: string | undefined): ExecutionStart[] => service.executions.started.filter((start) => start.workflowId === workflowId);
  const dueTimes = (workflowId: string | undefined): number[] => startsOf(workflowId).map((start) => Date.parse(start.idempotencyKey));
  const stop = (workflowId: string | undefined) => service.gateway.deactivateWorkflow({ workflowId: workflowId ?? '' }, editor());
  const started = (workflowId: string | undefined, count: number) => until(`${count} starts`, () => startsOf(workflowId).length >= count && startsOf(workflowId));

  it('start the version that is live, at its trigger, with the parts of the due time', async () => {
    const workflow = await create(everySecond);
    const [start] = await started(workflow?.id, 1);
    await stop(workflow?.id);
    expect(start).toMatchObject({ versionId: workflow?.versionId, ownerId: 'u1', startNode: 'Clock', mode: ExecutionMode.EXECUTION_MODE_TRIGGER });
    const [item] = JSON.parse(start?.inputJson.toString() ?? '');
    expect(Date.parse(item.json.timestamp)).toBe(Date.parse(start?.idempotencyKey ?? ''));
    expect(item.json).toMatchObject({ Timezone: 'Asia/Kathmandu (UTC+05:45)' });
  });

  it('go by the zone of the workflow if it states one', async () => {
    const workflow = await create({ rule: { interval: [{ field: 'days', triggerAtHour: 9 }] } }, 'scheduleTrigger', '{"timezone":"America/New_York"}');
    const [schedule] = await stored.of(workflow?.id ?? '');
    expect(schedule?.nextAt?.toLocaleTimeString('en-US', { timeZone: 'America/New_York' })).toBe('9:00:00 AM');
  });

  it('start the older triggers with an empty item', async () => {
    const workflow = await create({ interval: 1, unit: 'seconds' }, 'interval');
    const [start] = await started(workflow?.id, 1);
    await stop(workflow?.id);
    expect(start?.inputJson.toString()).toBe('[{"json":{}}]');
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

  it('that were missed are made up for by one run, and the schedule goes on', async () => {
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

  it('that were missed for longer than a day are made up for only if one of them is younger', async () => {
    const [often, seldom] = [await create(hourly), await create(monthly)];
    const missed = new Date(Date.now() - 72 * HOUR);
    for (const workflow of [often, seldom]) await stored.setDue(workflow?.id ?? '', missed);
    await until('both schedules move on', async () => {
      const schedules = [...await stored.of(often?.id ?? ''), ...await stored.of(seldom?.id ?? '')];
      return schedules.every(({ nextAt }) => (nextAt?.getTime() ?? 0) > Date.now());
    });
    // The first of a month may lie within the last day.
    const isFirst = [0, 24 * HOUR].some((ago) => new Date(Date.now() - ago + 5.75 * HOUR).getUTCDate() === 1);
    expect([startsOf(often?.id).length, startsOf(seldom?.id).length]).toEqual([1, isFirst ? 1 : 0]);
  });

  it('wait while the executions service is down: the due time is not lost', async () => {
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

  it('that fail do not hold up others: a passing failure is tried again, a refusal is passed over', async () => {
    const [failing, refused, fine] = [await create(hourly), await create(hourly), await create(hourly)];
    const due = new Date(Date.now() - 1_000);
    service.executions.refuse(failing?.id ?? '', new Unavailable('full'));
    service.executions.refuse(refused?.id ?? '', new ServiceError({ reason: 'WORKFLOW_NOT_RUNNABLE', kind: 'invalid', message: 'no' }));
    for (const workflow of [failing, refused, fine]) await stored.setDue(workflow?.id ?? '', due);
    await started(fine?.id, 1);
    await until('the refused one moves on', async () => ((await stored.of(refused?.id ?? ''))[0]?.nextAt?.getTime() ?? 0) > Date.now());
    expect((await stored.of(failing?.id ?? ''))[0]?.nextAt).toEqual(due);
    service.executions.refuse(failing?.id ?? '', undefined);
    await started(failing?.id, 1);
    expect(dueTimes(failing?.id)).toEqual([due.getTime()]);
  });

  it('come to their turn behind more failing ones than one look finds', async () => {
    const failing = await Promise.all(Array.from({ length: 130 }, () => create(hourly)));
    const fine = await create(hourly);
    for (const workflow of failing) service.executions.refuse(workflow?.id ?? '', new Unavailable('full'));
    const due = new Date(Date.now() - 1_000);
    for (const workflow of [...failing, fine]) await stored.setDue(workflow?.id ?? '', due);
    await started(fine?.id, 1);
    await Promise.all(failing.map((workflow) => stop(workflow?.id)));
  });

  it('move on when the same due time was started before, by another version', async () => {
    const workflow = await create(hourly);
    service.executions.refuse(workflow?.id ?? '', new ServiceError({ reason: 'IDEMPOTENCY_KEY_REUSED', kind: 'conflict', message: 'reused' }));
    await stored.setDue(workflow?.id ?? '', new Date(Date.now() - 1_000));
    await until('it moves on', async () => ((await stored.of(workflow?.id ?? ''))[0]?.nextAt?.getTime() ?? 0) > Date.now());
  });

  it('keep their beat over a replacement that leaves them as they are, and begin anew if it changes them', async () => {
    const workflow = await create({ interval: 10, unit: 'hours' }, 'interval');
    const [before] = await stored.of(workflow?.id ?? '');
    const replace = (parameters: object) => service.gateway.replaceWorkflow(
      { ...workflowOf([node('Clock', 'interval', parameters), node('Set', 'set')]), workflowId: workflow?.id ?? '', ifVersionId: '' }, editor());
    await replace({ interval: 10, unit: 'hours' });
    expect((await stored.of(workflow?.id ?? ''))[0]?.nextAt).toEqual(before?.nextAt);
    await replace({ interval: 11, unit: 'hours' });
    const [after] = await stored.of(workflow?.id ?? '');
    expect(after?.nextAt?.getTime()).toBeGreaterThan((before?.nextAt?.getTime() ?? 0) + HOUR - 1);
  });

  it('of one node with several rules ask for one start where they fall together', async () => {
    const workflow = await create({ rule: { interval: [{ field: 'seconds', secondsInterval: 1 }, { field: 'cronExpression', expression: '* * * * * *' }] } });
    await started(workflow?.id, 2);
    await stop(workflow?.id);
    expect(new Set(dueTimes(workflow?.id)).size).toBe(dueTimes(workflow?.id).length);
  });

  it('are started once each, in their order, while several replicas race', async () => {
    await Promise.all([service.addReplica(), service.addReplica(), service.addReplica()]);
    const workflows = await Promise.all(Array.from({ length: 10 }, () => create(everySecond)));
    await Promise.all(workflows.map((workflow) => started(workflow?.id, 4)));
    await Promise.all(workflows.map((workflow) => stop(workflow?.id)));
    for (const workflow of workflows) {
      const steps = dueTimes(workflow?.id).map((due, index, all) => due - (all[index - 1] ?? due - 1_000));
      expect(steps.filter((step) => step <= 0 || step % 1_000 !== 0)).toEqual([]);
    }
  });
});
