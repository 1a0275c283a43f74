import type { Json, JsonObject } from '@weft/service-kit/json';
import { readDefinition } from './read-definition';
import { schedulePolicyOf } from './schedule-policy';
import { scheduleErrors, schedulesOf } from './schedules';

const of = (kind: string, parameters: JsonObject, settings: JsonObject = {}) =>
  readDefinition({
    name: 'x',
    nodes: [{ name: 'S', type: `weft-nodes-base.${kind}`, parameters }],
    connections: {},
    settings,
  });
const rules = (kind: string, parameters: JsonObject) =>
  schedulesOf(of(kind, parameters)).map((schedule) => schedule.rule);
const trigger = (...interval: JsonObject[]) => rules('scheduleTrigger', { rule: { interval } });

describe('schedulesOf', () => {
  it.each<[JsonObject, unknown]>([
    [{}, { kind: 'everyDays', every: 1, hour: 0, minute: 0 }],
    [{ field: 'seconds' }, { kind: 'everySeconds', every: 30 }],
    [
      { field: 'minutes', minutesInterval: 15 },
      { kind: 'everyMinutes', every: 15 },
    ],
    [
      { field: 'hours', hoursInterval: 6, triggerAtMinute: 20 },
      { kind: 'everyHours', every: 6, minute: 20 },
    ],
    [
      { field: 'days', daysInterval: 2, triggerAtHour: 7, triggerAtMinute: 5 },
      { kind: 'everyDays', every: 2, hour: 7, minute: 5 },
    ],
    [
      { field: 'weeks', triggerAtDay: [5, 1, 1], triggerAtHour: 8 },
      { kind: 'everyWeeks', every: 1, weekdays: [1, 5], hour: 8, minute: 0 },
    ],
    [{ field: 'weeks' }, { kind: 'everyWeeks', every: 1, weekdays: [0], hour: 0, minute: 0 }],
    [
      { field: 'months', monthsInterval: 3, triggerAtDayOfMonth: 31 },
      { kind: 'everyMonths', every: 3, dayOfMonth: 31, hour: 0, minute: 0 },
    ],
    [
      { field: 'cronExpression', expression: ' 0 9,19 * * 1-5 ' },
      { kind: 'cron', expression: '0 9,19 * * 1-5' },
    ],
    [
      { field: 'cronExpression', expression: '*/10 * * * * *' },
      { kind: 'cron', expression: '*/10 * * * * *' },
    ],
  ])('reads the rule %j', (entry, rule) => {
    expect(trigger(entry)).toEqual([rule]);
  });

  it.each<[JsonObject, unknown]>([
    [{}, { kind: 'everyDays', every: 1, hour: 14, minute: 0 }],
    [{ mode: 'everyMinute' }, { kind: 'everyMinutes', every: 1 }],
    [
      { mode: 'everyHour', minute: 11 },
      { kind: 'everyHours', every: 1, minute: 11 },
    ],
    [
      { mode: 'everyDay', hour: 0 },
      { kind: 'everyDays', every: 1, hour: 0, minute: 0 },
    ],
    [
      { mode: 'everyWeek', weekday: '6', hour: 3 },
      { kind: 'everyWeeks', every: 1, weekdays: [6], hour: 3, minute: 0 },
    ],
    [
      { mode: 'everyMonth', dayOfMonth: 12, hour: 13, minute: 17 },
      { kind: 'everyMonths', every: 1, dayOfMonth: 12, hour: 13, minute: 17 },
    ],
    [
      { mode: 'everyX', unit: 'minutes', value: 10 },
      { kind: 'everyMinutes', every: 10 },
    ],
    [{ mode: 'everyX' }, { kind: 'everyHours', every: 2, minute: 0 }],
    [
      { mode: 'custom', cronExpression: '0 9 * * *' },
      { kind: 'cron', expression: '0 9 * * *' },
    ],
  ])('reads the cron time %j', (item, rule) => {
    expect(rules('cron', { triggerTimes: { item: [item] } })).toEqual([rule]);
  });

  it('reads an interval in any unit as seconds', () => {
    expect(rules('interval', { interval: 2, unit: 'minutes' })).toEqual([{ kind: 'fixedDelay', seconds: 120 }]);
  });

  it('reads the poll times of a polling trigger as those of a cron node, once a minute if none is set', () => {
    expect(rules('rssFeedReadTrigger', {})).toEqual([{ kind: 'everyMinutes', every: 1 }]);
    expect(
      rules('rssFeedReadTrigger', {
        pollTimes: {
          item: [
            {},
            { hour: 9 },
            { mode: 'everyX', unit: 'minutes', value: 7 },
            { mode: 'custom', cronExpression: '30 */5 * * * *' },
            { mode: 'everyWeek', weekday: '0' },
          ],
        },
      }),
    ).toEqual([
      { kind: 'everyDays', every: 1, hour: 14, minute: 0 },
      { kind: 'everyDays', every: 1, hour: 9, minute: 0 },
      { kind: 'everyMinutes', every: 7 },
      { kind: 'cron', expression: '30 */5 * * * *' },
      { kind: 'everyWeeks', every: 1, weekdays: [0], hour: 14, minute: 0 },
    ]);
  });

  it.each([{ mode: 'custom' }, { mode: 'custom', cronExpression: '*/10 * * * * *' }])(
    'refuses poll times more often than once a minute: %j',
    (item) => {
      const definition = of('rssFeedReadTrigger', { pollTimes: { item: [item] } });
      expect(scheduleErrors(definition)[0]?.message).toContain('once a minute at most');
    },
  );

  it('numbers several rules of a node and passes on the zone, if one is set', () => {
    const definition = of(
      'scheduleTrigger',
      { rule: { interval: [{ field: 'hours' }, { field: 'minutes' }] } },
      { timezone: 'Asia/Tokyo' },
    );
    expect(schedulesOf(definition).map(({ index, timezone }) => [index, timezone])).toEqual([
      [0, 'Asia/Tokyo'],
      [1, 'Asia/Tokyo'],
    ]);
    expect(schedulesOf(of('cron', {}, { timezone: 'DEFAULT' }))[0]).not.toHaveProperty('timezone');
  });

  it('reads one daily rule for a node without parameters, and none for a disabled one', () => {
    expect(rules('scheduleTrigger', {})).toEqual([{ kind: 'everyDays', every: 1, hour: 0, minute: 0 }]);
    const off = readDefinition({
      name: 'x',
      nodes: [{ name: 'S', type: 'weft-nodes-base.scheduleTrigger', disabled: true }],
      connections: {},
    });
    expect(schedulesOf(off)).toEqual([]);
  });
});

describe('scheduleErrors', () => {
  it.each<[JsonObject, string]>([
    [{ field: 'seconds', secondsInterval: 0 }, 'secondsInterval'],
    [{ field: 'minutes', minutesInterval: 60 }, 'minutesInterval'],
    [{ field: 'days', triggerAtHour: 24 }, 'triggerAtHour'],
    [{ field: 'days', triggerAtMinute: '={{ 3 }}' }, 'cannot contain an expression'],
    [{ field: 'cronExpression', expression: 'every day' }, 'five fields'],
    [{ field: 'cronExpression', expression: '99 * * * *' }, 'not a valid cron expression'],
    [{ field: 'fortnights' }, 'not known'],
  ])('reports the error in %j', (entry, text) => {
    const definition = of('scheduleTrigger', { rule: { interval: [entry] } });
    expect(scheduleErrors(definition)[0]?.message).toContain(text);
    expect(schedulesOf(definition)).toEqual([]);
  });

  it('reports a zone that does not exist', () => {
    expect(scheduleErrors(of('cron', {}, { timezone: 'Mars/Olympus' }))[0]?.field).toBe('settings.timezone');
  });
});

describe('settings.schedule', () => {
  const settings = (schedule: Json) => of('cron', {}, { schedule });

  it.each<[Json, object]>([
    [null, { missed: 'coalesce', overlap: 'allow' }],
    [{}, { missed: 'coalesce', overlap: 'allow' }],
    [{ missed: 'all' }, { missed: 'all', overlap: 'allow' }],
    [
      { missed: 'skip', overlap: 'buffer-one' },
      { missed: 'skip', overlap: 'buffer-one' },
    ],
  ])('reads %j', (schedule, policy) => {
    expect(schedulePolicyOf(settings(schedule))).toEqual(policy);
    expect(scheduleErrors(settings(schedule))).toEqual([]);
  });

  it.each<[Json, string, string]>([
    ['skip', 'settings.schedule', 'object'],
    [{ missed: 'never' }, 'settings.schedule.missed', 'coalesce, skip, all'],
    [{ overlap: 1 }, 'settings.schedule.overlap', 'allow, skip, buffer-one'],
    [{ catchUp: true }, 'settings.schedule.catchUp', 'missed, overlap'],
  ])('reports the error in %j', (schedule, path, text) => {
    expect(scheduleErrors(settings(schedule))).toEqual([{ field: path, message: expect.stringContaining(text) }]);
  });
});
