import { field, type Json } from '@weft/service-kit/json-values';
import { CronExpressionParser } from 'cron-parser';
import { readCronExpression } from './cron-expression';
import { isExpression } from '../parameters';
import type { RuleReading, ScheduleRule } from './schedule-rule';

/** Thrown within this file only, to abandon a rule that cannot be read. */
class RuleError extends Error {}

/**
 * Reads one entry of a schedule trigger's `rule.interval`.
 * @param seed what the `H` of a cron expression depends on
 */
export function readScheduleRule(entry: Json, seed: string): RuleReading {
  return reading(() => {
    const unit: unknown = field(entry, 'field') ?? 'days';
    switch (unit) {
      case 'seconds':
        return { kind: 'everySeconds', every: whole(entry, 'secondsInterval', 30, 1, 59) };
      case 'minutes':
        return { kind: 'everyMinutes', every: whole(entry, 'minutesInterval', 5, 1, 59) };
      case 'hours':
        return { kind: 'everyHours', every: whole(entry, 'hoursInterval', 1, 1, 8_760), minute: minute(entry) };
      case 'days':
        return { kind: 'everyDays', every: whole(entry, 'daysInterval', 1, 1, 366), ...clock(entry) };
      case 'weeks':
        return {
          kind: 'everyWeeks',
          every: whole(entry, 'weeksInterval', 1, 1, 520),
          weekdays: weekdays(entry),
          ...clock(entry),
        };
      case 'months':
        return {
          kind: 'everyMonths',
          every: whole(entry, 'monthsInterval', 1, 1, 120),
          dayOfMonth: whole(entry, 'triggerAtDayOfMonth', 1, 1, 31),
          ...clock(entry),
        };
      case 'cronExpression':
        return cronRule(field(entry, 'expression'), seed);
      default:
        throw new RuleError(`the unit ${JSON.stringify(unit)} of a schedule is not known.`);
    }
  });
}

/** Reads one entry of the older cron node's `triggerTimes.item`. */
export function readCronRule(entry: Json, seed: string): RuleReading {
  return reading(() => {
    const mode: unknown = field(entry, 'mode') ?? 'everyDay';
    const at = (): { hour: number; minute: number } => ({
      hour: whole(entry, 'hour', 14, 0, 23),
      minute: whole(entry, 'minute', 0, 0, 59),
    });
    switch (mode) {
      case 'everyMinute':
        return { kind: 'everyMinutes', every: 1 };
      case 'everyHour':
        return { kind: 'everyHours', every: 1, minute: whole(entry, 'minute', 0, 0, 59) };
      case 'everyDay':
        return { kind: 'everyDays', every: 1, ...at() };
      case 'everyWeek':
        return { kind: 'everyWeeks', every: 1, weekdays: [whole(entry, 'weekday', 1, 0, 7) % 7], ...at() };
      case 'everyMonth':
        return { kind: 'everyMonths', every: 1, dayOfMonth: whole(entry, 'dayOfMonth', 1, 1, 31), ...at() };
      case 'everyX':
        return everyX(entry);
      case 'custom':
        return cronRule(field(entry, 'cronExpression') ?? '* * * * * *', seed);
      default:
        throw new RuleError(`the mode ${JSON.stringify(mode)} of a cron node is not known.`);
    }
  });
}

/** Reads one entry of a polling trigger's `pollTimes.item`: as that of a cron node, but not more than once a minute. */
export function readPollRule(entry: Json, seed: string): RuleReading {
  const read = readCronRule(entry, seed);
  const isTooOften = read.kind === 'rule' && read.rule.kind === 'cron' && hasSeconds(read.rule.expression);
  return isTooOften
    ? {
        kind: 'error',
        message: 'a polling trigger asks once a minute at most: the seconds of its expression must be one number.',
      }
    : read;
}

/** True if the first of six fields, the seconds, is more than one number. */
function hasSeconds(expression: string): boolean {
  const fields = expression.split(/\s+/);
  return fields.length === 6 && !/^\d+$/.test(fields[0] ?? '');
}

/** Reads the parameters of the older interval node. */
export function readIntervalRule(parameters: Json): RuleReading {
  return reading(() => {
    const unit = field(parameters, 'unit') ?? 'seconds';
    const seconds = { seconds: 1, minutes: 60, hours: 3_600 }[String(unit)];
    if (seconds === undefined) throw new RuleError(`the unit ${JSON.stringify(unit)} of an interval is not known.`);
    return { kind: 'fixedDelay', seconds: seconds * whole(parameters, 'interval', 1, 1, 2_000_000) };
  });
}

function everyX(entry: Json): ScheduleRule {
  return field(entry, 'unit') === 'minutes'
    ? { kind: 'everyMinutes', every: whole(entry, 'value', 2, 1, 59) }
    : { kind: 'everyHours', every: whole(entry, 'value', 2, 1, 8_760), minute: 0 };
}

function reading(read: () => ScheduleRule): RuleReading {
  try {
    return { kind: 'rule', rule: read() };
  } catch (error) {
    if (error instanceof RuleError) return { kind: 'error', message: error.message };
    throw error;
  }
}

function clock(entry: Json): { hour: number; minute: number } {
  return { hour: whole(entry, 'triggerAtHour', 0, 0, 23), minute: minute(entry) };
}

function minute(entry: Json): number {
  return whole(entry, 'triggerAtMinute', 0, 0, 59);
}

function weekdays(entry: Json): number[] {
  const stated = field(entry, 'triggerAtDay');
  if (stated === undefined || stated === null) return [0];
  const days = (Array.isArray(stated) ? stated : [stated]).map((day) => toWhole(day, 'triggerAtDay', 0, 7) % 7);
  return days.length === 0 ? [0] : [...new Set(days)].sort((a, b) => a - b);
}

function cronRule(stated: Json | undefined, seed: string): ScheduleRule {
  if (isExpression(stated))
    throw new RuleError('a cron expression is read before a run starts, so it cannot contain `{{ }}`.');
  const written = typeof stated === 'string' ? stated.replace(/^=/, '').trim() : '';
  const read = readCronExpression(written, seed);
  if ('error' in read) throw new RuleError(`"${written.slice(0, 200)}" is not a valid cron expression: ${read.error}.`);
  try {
    CronExpressionParser.parse(read.expression);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new RuleError(`"${written.slice(0, 200)}" is not a valid cron expression: ${reason}.`);
  }
  return { kind: 'cron', expression: read.expression };
}

function whole(entry: Json, key: string, initial: number, min: number, max: number): number {
  const stated = field(entry, key);
  return stated === undefined || stated === null || stated === '' ? initial : toWhole(stated, key, min, max);
}

function toWhole(stated: Json, key: string, min: number, max: number): number {
  if (isExpression(stated))
    throw new RuleError(`\`${key}\` of a schedule is read before a run starts, so it cannot contain an expression.`);
  const value = typeof stated === 'number' ? stated : Number(String(stated).replace(/^=/, ''));
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new RuleError(
    `\`${key}\` of a schedule must be an integer from ${min} to ${max}; it is ${JSON.stringify(stated)}.`,
  );
}
