import type { Json } from '@weft/node-catalogue';
import { DateTime } from 'luxon';
import type { DateTimeUnit, DurationUnit } from 'luxon';
import { type Item, type NodeContext, NodeFailure } from '@weft/engine';
import { isReadableFormat, toJson } from '@weft/expressions';
import type { MadeItem } from '../shared/each-item';
import { booleanParameter, choiceParameter, numberParameter, textParameter } from '../shared/read-parameter';
import { readDate } from './read-date';
import { checkedFormat, checkedZone } from './zone-and-format';

const PLURALS = [
  'years',
  'quarters',
  'months',
  'weeks',
  'days',
  'hours',
  'minutes',
  'seconds',
  'milliseconds',
] as const;
const SPANS = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second', 'millisecond'] as const;
const PARTS = ['year', 'month', 'week', 'day', 'hour', 'minute', 'second'] as const;
const OPERATIONS = [
  'getCurrentDate',
  'addToDate',
  'subtractFromDate',
  'formatDate',
  'roundDate',
  'getTimeBetweenDates',
  'extractDate',
] as const;

interface Result {
  /** Default name of the output field. */
  readonly field: string;
  /** Undefined leaves the field out. */
  readonly value: Json | undefined;
}

type Operation = (context: NodeContext, index: number) => Result;

/** From version 2 on: one result in a separate field, with the item's fields if configured. */
export function runSecondVersion(context: NodeContext, item: Item, index: number): MadeItem {
  const operation = choiceParameter(context, 'operation', index, OPERATIONS);
  const { field, value } = OPERATION_OF[operation](context, index);
  const name = textParameter(context, 'outputFieldName', index, field) || field;
  const others = booleanParameter(context, 'options.includeInputFields', index) ? item.json : {};
  if (value !== undefined) return { json: { ...others, [name]: value } };
  return { json: Object.fromEntries(Object.entries(others).filter(([field]) => field !== name)) };
}

const OPERATION_OF: Readonly<Record<(typeof OPERATIONS)[number], Operation>> = {
  getCurrentDate: (context, index) => {
    const zone = checkedZone(textParameter(context, 'options.timezone', index) || context.timezone, index);
    const now = DateTime.fromMillis(context.ports.clock.now(), { zone });
    return {
      field: 'currentDate',
      value: isoOf(booleanParameter(context, 'includeTime', index) ? now : now.startOf('day'), index),
    };
  },
  addToDate: (context, index) => ({ field: 'newDate', value: moved(context, index, 1) }),
  subtractFromDate: (context, index) => ({ field: 'newDate', value: moved(context, index, -1) }),
  formatDate: (context, index) => ({ field: 'formattedDate', value: formatted(context, index) }),
  roundDate: (context, index) => {
    const date = dateParameter(context, 'date', index);
    const isDown = choiceParameter(context, 'mode', index, ['roundDown', 'roundUp']) === 'roundDown';
    const unit: DateTimeUnit = choiceParameter(context, isDown ? 'toNearest' : 'to', index, SPANS, 'month');
    return {
      field: 'roundedDate',
      value: isoOf(isDown ? date.startOf(unit) : date.plus({ [unit]: 1 }).startOf(unit), index),
    };
  },
  getTimeBetweenDates: (context, index) => ({ field: 'timeDifference', value: difference(context, index) }),
  extractDate: (context, index) => {
    const date = dateParameter(context, 'date', index);
    const part = choiceParameter(context, 'part', index, PARTS);
    return { field: 'datePart', value: part === 'week' ? date.weekNumber : date[part] };
  },
};

function moved(context: NodeContext, index: number, sign: 1 | -1): string {
  const date = dateParameter(context, 'magnitude', index);
  const unit = choiceParameter(context, 'timeUnit', index, PLURALS);
  return isoOf(date.plus({ [unit]: sign * numberParameter(context, 'duration', index) }), index);
}

/**
 * Null and a missing value are unchanged. A DateTime keeps its zone. Other dates are shown in the workflow's zone if
 * configured, else in the offset that a string has with a plus sign, else in UTC.
 */
function formatted(context: NodeContext, index: number): Json | undefined {
  const raw = context.parameter('date', index);
  if (raw === null || raw === undefined) return raw;
  const date = readWith(raw, context, textParameter(context, 'options.fromFormat', index));
  if (date === undefined) throw invalid(index);
  const zone = booleanParameter(context, 'options.timezone', index) ? context.timezone : offsetZone(raw);
  const chosen = textParameter(context, 'format', index, 'MM/dd/yyyy');
  const format = checkedFormat(chosen === 'custom' ? textParameter(context, 'customFormat', index) : chosen, index);
  const shown = DateTime.isDateTime(raw) ? date : date.setZone(zone);
  if (!shown.isValid) throw invalid(index);
  return shown.setLocale('en-US').toFormat(format);
}

/** The zone of a string with a plus sign: the whole hours after it. n8n uses no more of an offset. */
function offsetZone(raw: unknown): string {
  const [, hours] = /^[^+]*\+(..?)/.exec(typeof raw === 'string' ? raw : '') ?? [];
  return hours === undefined ? 'UTC' : `UTC+${Number(hours)}`;
}

/** Strings in a given format are in the workflow's zone unless the format has an offset. */
function readWith(raw: unknown, { timezone }: NodeContext, fromFormat: string): DateTime | undefined {
  if (fromFormat === '' || typeof raw !== 'string') return readDate(raw, 'UTC');
  if (fromFormat === 'x' || fromFormat === 'X')
    return readDate(Number(raw) * (fromFormat === 'X' ? 1_000 : 1), timezone);
  const date =
    raw.length > 1_000 || !isReadableFormat(fromFormat)
      ? undefined
      : DateTime.fromFormat(raw, fromFormat, { zone: timezone, locale: 'en-US' });
  return date?.isValid === true ? date : undefined;
}

function difference(context: NodeContext, index: number): Json {
  const raw = context.parameter('units', index) ?? ['day'];
  const units = (Array.isArray(raw) ? raw : [raw]).flatMap((unit): DurationUnit[] =>
    SPANS.filter((span) => span === unit || `${span}s` === unit),
  );
  if (units.length === 0)
    throw new NodeFailure(`The parameter "units" contains no unit of time. Supported: ${SPANS.join(', ')}`, {
      itemIndex: index,
    });
  const span = dateParameter(context, 'endDate', index).diff(dateParameter(context, 'startDate', index), units);
  return booleanParameter(context, 'options.isoString', index) ? span.toISO() : (toJson(span.toObject()) ?? {});
}

/** A date in the workflow's zone, except that a DateTime keeps its zone. */
function dateParameter(context: NodeContext, path: string, index: number): DateTime {
  const raw = context.parameter(path, index);
  const date = readDate(raw, 'UTC');
  if (date === undefined) throw invalid(index);
  return DateTime.isDateTime(raw) ? date : date.setZone(context.timezone);
}

function isoOf(date: DateTime, itemIndex: number): string {
  const text = date.toISO();
  if (text === null) throw new NodeFailure('The resulting date is out of range.', { itemIndex });
  return text;
}

function invalid(itemIndex: number): NodeFailure {
  return new NodeFailure('Invalid date format', {
    itemIndex,
    description: 'Set "From Format" to the format of the date, or use ISO 8601.',
  });
}
