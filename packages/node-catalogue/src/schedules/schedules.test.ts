import type { Json, JsonObject } from '@weft/service-kit/json';
import { readDefinition } from '../read-definition';
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

  it.each([
    ['@daily', '0 0 * * *'],
    ['@Hourly', '0 * * * *'],
    ['@weekly', '0 0 * * 0'],
    ['@weekdays', '0 0 * * 1-5'],
    ['=0 9 * * THU', '0 9 * * THU'],
  ])('reads %s as plain fields', (expression, fields) => {
    expect(trigger({ field: 'cronExpression', expression })).toEqual([{ kind: 'cron', expression: fields }]);
    expect(rules('cron', { triggerTimes: { item: [{ mode: 'custom', cronExpression: expression }] } })).toEqual([
      { kind: 'cron', expression: fields },
    ]);
  });

  describe('reads H as a value', () => {
    const cron = (expression: string, workflowId = 'w1'): string => {
      const definition = of('scheduleTrigger', { rule: { interval: [{ field: 'cronExpression', expression }] } });
      const [rule] = schedulesOf(definition, workflowId).map((schedule) => schedule.rule);
      return rule?.kind === 'cron' ? rule.expression : '';
    };
    const numbers = (field: string | undefined): number[] => (field ?? '').split(',').map(Number);

    it('that is stable for a node, within the range of the field, and spread over workflows', () => {
      expect(cron('H H * * *')).toMatch(/^\d{1,2} \d{1,2} \* \* \*$/);
      expect(cron('H H * * *')).toBe(cron('H H * * *'));
      const many = Array.from({ length: 500 }, (_, index) => cron('H H H H H H', `w${index}`).split(' ').map(Number));
      const highest = [59, 59, 23, 28, 12, 6];
      const lowest = [0, 0, 0, 1, 1, 0];
      for (const [position, most] of highest.entries()) {
        const values = many.map((fields) => fields[position] ?? NaN);
        expect([Math.min(...values), Math.max(...values)]).toEqual([lowest[position], most]);
      }
    });

    it('with a step, of which all gaps are equal', () => {
      const minutes = numbers(cron('H/15 * * * *').split(' ')[0]);
      expect(minutes).toHaveLength(4);
      expect(minutes.map((minute) => minute - (minutes[0] ?? 0))).toEqual([0, 15, 30, 45]);
    });

    it('within a range', () => {
      for (let index = 0; index < 50; index += 1) {
        const [minute, hour, , , day] = cron('H(0-9) H(22-23) * * H(1-5)', `w${index}`).split(' ').map(Number);
        expect(minute).toBeLessThanOrEqual(9);
        expect(hour).toBeGreaterThanOrEqual(22);
        expect(day).toBeGreaterThanOrEqual(1);
      }
      expect(numbers(cron('H(0-29)/10 * * * *').split(' ')[0])).toHaveLength(3);
    });
  });

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
    [
      { field: 'cronExpression', expression: '@reboot' },
      '"@reboot" is not a valid cron expression: the known nicknames',
    ],
    [{ field: 'cronExpression', expression: 'H(50-70) * * * *' }, 'H(50-70) is not a range'],
    [{ field: 'cronExpression', expression: 'H/0 * * * *' }, 'not a valid cron expression'],
    [{ field: 'cronExpression', expression: `${'H,'.repeat(5_000)}H * * * *` }, 'longer than 1024'],
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
