import type { ScheduleEntry } from '../workflows/workflow';
import { ServiceError, Unavailable } from '@weft/service-kit/errors';
import { MAX_CATCH_UP, planStarts } from './plan-starts';
import { advanceSchedule } from './advance-schedule';

const HOUR = 3_600_000;
const entry = (fields: Partial<ScheduleEntry> = {}): ScheduleEntry => ({
  node: 'Clock',
  index: 0,
  rule: { kind: 'everyHours', every: 1, minute: 0 },
  item: 'clock',
  missed: 'coalesce',
  overlap: 'allow',
  ...fields,
});
const at = (text: string): Date => new Date(text);
const texts = (times: readonly Date[]): string[] => times.map((time) => time.toISOString());

describe('catch-up of missed due times', () => {
  const zone = 'Europe/Berlin';
  const now = at('2026-06-10T12:00:30Z');
  const due = at('2026-06-10T07:00:00Z');

  it('is one run for all under coalesce: the current due time, whenever it is planned', () => {
    expect(planStarts(entry(), due, now, zone)).toEqual({ starts: [due], nextAt: at('2026-06-10T13:00:00Z') });
    expect(planStarts(entry(), due, at('2026-06-10T14:00:00Z'), zone).starts).toEqual([due]);
    expect(
      planStarts(
        entry({ rule: { kind: 'everyMonths', every: 1, dayOfMonth: 1, hour: 0, minute: 0 } }),
        at('2026-05-31T22:00:00Z'),
        now,
        zone,
      ).starts,
    ).toEqual([]);
  });

  it('has only those on time under skip', () => {
    expect(texts(planStarts(entry({ missed: 'skip' }), due, now, zone).starts)).toEqual(['2026-06-10T12:00:00.000Z']);
    expect(planStarts(entry({ missed: 'skip' }), due, at('2026-06-10T12:01:30Z'), zone)).toEqual({
      starts: [],
      nextAt: at('2026-06-10T13:00:00Z'),
    });
  });

  it('has each of them under all, up to a limit', () => {
    expect(texts(planStarts(entry({ missed: 'all' }), due, now, zone).starts)).toHaveLength(6);
    const often = planStarts(entry({ missed: 'all', rule: { kind: 'everyMinutes', every: 1 } }), due, now, zone);
    expect(often.starts).toHaveLength(MAX_CATCH_UP);
    expect(often.nextAt).toEqual(at('2026-06-10T12:01:00Z'));
  });

  it('has one run for a time of day across clock changes, in spring and in autumn', () => {
    const daily = entry({ missed: 'all', rule: { kind: 'everyDays', every: 1, hour: 2, minute: 30 } });
    // 29 March 2026: 02:30 does not exist; right after the gap it is 01:00 UTC.
    expect(texts(planStarts(daily, at('2026-03-29T01:00:00Z'), at('2026-03-29T12:00:00Z'), zone).starts)).toEqual([
      '2026-03-29T01:00:00.000Z',
    ]);
    // 25 October 2026: 02:30 occurs twice.
    const autumn = planStarts(daily, at('2026-10-25T00:30:00Z'), at('2026-10-25T12:00:00Z'), zone);
    expect(texts(autumn.starts)).toEqual(['2026-10-25T00:30:00.000Z']);
    expect(autumn.nextAt).toEqual(at('2026-10-26T01:30:00Z'));
  });

  it('has none older than a day', () => {
    const plan = planStarts(entry({ missed: 'all' }), at('2026-06-01T00:00:00Z'), now, zone);
    expect(plan.starts).toHaveLength(24);
    expect(plan.starts[0]?.getTime()).toBeGreaterThan(now.getTime() - 24 * HOUR);
  });

  it('includes one that waits for the previous run, however late that ends', () => {
    const waiting = entry({
      missed: 'skip',
      overlap: 'buffer-one',
      trouble: { reason: 'EXECUTION_OVERLAPS', message: '', count: 9, since: due, retryAt: now },
    });
    expect(planStarts(waiting, due, now, zone)).toEqual({ starts: [due], nextAt: at('2026-06-10T13:00:00Z') });
  });
});

describe('the due time of a schedule after its starts', () => {
  const now = at('2026-06-10T12:00:30Z');
  const context = { now, zone: 'UTC', random: () => 1 };
  const due = at('2026-06-10T12:00:00Z');
  const plan = { starts: [due], nextAt: at('2026-06-10T13:00:00Z') };
  const settle = (schedule: ScheduleEntry, error?: ServiceError): ScheduleEntry =>
    advanceSchedule(schedule, plan, [{ due, error }], context);
  const overlaps = new ServiceError({ reason: 'EXECUTION_OVERLAPS', kind: 'conflict', message: '' });

  it('is the next one, without trouble', () => {
    expect(settle(entry({ trouble: { reason: 'X', message: '', count: 3, since: now } }))).toEqual(
      entry({ nextAt: plan.nextAt, lastDue: due }),
    );
  });

  it.each([
    [1, 1_000],
    [2, 2_000],
    [5, 16_000],
    [20, 60_000],
  ])('is unchanged after %i failed tries, for %i ms at most', (tries, delay) => {
    const full = new ServiceError({ reason: 'SERVICE_UNAVAILABLE', kind: 'unavailable', message: 'full' });
    let schedule = entry({ nextAt: due });
    for (let n = 0; n < tries; n += 1) schedule = settle(schedule, full);
    expect(schedule).toMatchObject({ nextAt: due, trouble: { reason: 'SERVICE_UNAVAILABLE', count: tries } });
    expect(schedule.trouble?.retryAt?.getTime()).toBe(now.getTime() + delay);
  });

  it('respects the retry delay of the executions service', () => {
    const { trouble } = settle(entry({ nextAt: due }), new Unavailable('full'));
    expect(trouble?.retryAt?.getTime()).toBeGreaterThanOrEqual(now.getTime() + 5_000);
  });

  it('is the first of several that could not be started', () => {
    const three = [due, at('2026-06-10T12:00:10Z'), at('2026-06-10T12:00:20Z')];
    const outcomes = three.map((time, index) => ({
      due: time,
      error: index === 0 ? undefined : new Unavailable('full'),
    }));
    expect(advanceSchedule(entry(), { ...plan, starts: three }, outcomes, context)).toMatchObject({
      nextAt: three[1],
      lastDue: due,
    });
  });

  it('skips or delays a start that may not overlap another run', () => {
    expect(settle(entry({ overlap: 'skip' }), overlaps)).toMatchObject({ nextAt: plan.nextAt, lastDue: due });
    expect(settle(entry({ overlap: 'buffer-one' }), overlaps)).toMatchObject({
      nextAt: due,
      trouble: { retryAt: new Date(now.getTime() + 3_000) },
    });
  });

  it('pauses ever longer if it is refused for good, an hour at most', () => {
    const refusal = new ServiceError({ reason: 'WORKFLOW_NOT_RUNNABLE', kind: 'invalid', message: 'no' });
    const minutely = entry({ rule: { kind: 'everyMinutes', every: 1 } });
    expect(settle(minutely, refusal)).toMatchObject({ nextAt: plan.nextAt, trouble: { count: 1 } });
    const tired = settle(
      { ...minutely, trouble: { reason: refusal.reason, message: 'no', count: 40, since: due } },
      refusal,
    );
    expect(tired).toMatchObject({ nextAt: at('2026-06-10T13:01:00Z'), trouble: { count: 41, since: due } });
  });
});
