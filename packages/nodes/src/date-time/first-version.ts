import { DateTime } from 'luxon';
import moment from 'moment';
import { type Item, type NodeContext, NodeFailure } from '@weft/engine';
import { parseDate } from '@weft/expressions';
import { choiceParameter, numberParameter, textParameter } from '../shared/read-parameter';
import type { MadeItem } from '../shared/each-item';
import { readFormatted, readMillis, readText, readTimestamp } from './read-date';
import { checkedFormat, checkedZone } from './zone-and-format';

const UNITS = ['quarters', 'years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds', 'milliseconds'] as const;

/** Dates of this version are in UTC unless a zone is set: workflows rely on it. */
const ZONE = 'UTC';

/** Version 1: converts a date to another format, or adds to it. An item without a value to convert is left out. */
export function runFirstVersion(context: NodeContext, item: Item, index: number): MadeItem[] {
  const value = context.parameter('value', index);
  const action = choiceParameter(context, 'action', index, ['format', 'calculate']);
  if (value === undefined && action === 'format') return [];
  const result = action === 'format' ? formatted(context, value, index) : calculated(context, value, index);
  const name = textParameter(context, 'dataPropertyName', index, 'data') || 'data';
  return [{ json: { ...item.json, [name]: result }, ...(item.binary === undefined ? {} : { binary: item.binary }) }];
}

function formatted(context: NodeContext, value: unknown, index: number): string {
  const fromZone = textParameter(context, 'options.fromTimezone', index);
  const toZone = textParameter(context, 'options.toTimezone', index);
  const fromFormat = checkedFormat(textParameter(context, 'options.fromFormat', index), index);
  const states = fromZone !== '' || toZone !== '';
  const readIn = states ? checkedZone(fromZone || context.timezone, index) : ZONE;
  const date = readNumber(value) ?? readInput(value, readIn, fromFormat);
  if (date === undefined) {
    throw new NodeFailure('The date input format could not be recognized. Please set the "From Format" field', {
      itemIndex: index,
    });
  }
  const format = checkedFormat(textParameter(context, 'toFormat', index, 'MM/DD/YYYY'), index);
  if (!states) return write(date.setZone(ZONE), format, '');
  const shown = date.setZone(checkedZone(toZone || context.timezone, index));
  return write(shown, format, shown.toFormat('ZZZZ', { locale: 'en-US' }));
}

/** The date in a format of Moment.js, in English. `zoneName` is the output of its token `z`. */
function write(date: DateTime, format: string, zoneName: string): string {
  // At most 200 characters: see checkedFormat.
  const named = (format || 'YYYY-MM-DDTHH:mm:ssZ').replace(/\[[^\]]*\]|\\.|zz?/g, (token) =>
    token.startsWith('z') ? `[${zoneName}]` : token,
  );
  // As a string: the library interprets small numbers of minutes as hours.
  return moment.utc(date.toMillis()).utcOffset(date.toFormat('ZZ')).format(named);
}

/** Numbers of 12 digits are milliseconds, even as strings. An input format does not change that. */
function readNumber(value: unknown): DateTime | undefined {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return undefined;
  return readTimestamp(Number(value), ZONE);
}

function readInput(value: unknown, zone: string, fromFormat: string): DateTime | undefined {
  if (typeof value !== 'string') return readObject(value);
  return fromFormat === '' ? readText(value, zone, ZONE) : readFormatted(value, fromFormat, zone, false);
}

function readObject(value: unknown): DateTime | undefined {
  if (DateTime.isDateTime(value)) return readMillis(value.toMillis(), ZONE);
  return value instanceof Date ? readMillis(value.getTime(), ZONE) : undefined;
}

function calculated(context: NodeContext, value: unknown, index: number): string {
  const fromFormat = checkedFormat(textParameter(context, 'options.fromFormat', index), index);
  const date = readObject(value) ?? (fromFormat === '' ? readPlain(value) : readInFormat(value, fromFormat));
  if (date === undefined) {
    throw new NodeFailure(
      fromFormat === ''
        ? 'Unrecognized date input. Please specify a format in the "From Format" field.'
        : 'Date input cannot be parsed. Please recheck the value and the "From Format" field.',
      { itemIndex: index },
    );
  }
  const unit = choiceParameter(context, 'timeUnit', index, UNITS);
  const duration = numberParameter(context, 'duration', index);
  const operation = choiceParameter(context, 'operation', index, ['add', 'subtract']);
  // Moment.js adds whole days and months, rounded; Luxon would add a fraction of them as hours.
  const result = moment.utc(date.toMillis()).add(operation === 'add' ? duration : -duration, unit);
  if (!result.isValid()) throw new NodeFailure('The resulting date is out of range.', { itemIndex: index });
  return result.toISOString();
}

/** Here a number is milliseconds, and a string is parsed as JavaScript does. */
function readPlain(value: unknown): DateTime | undefined {
  if (typeof value === 'number') return readMillis(value, ZONE);
  return typeof value === 'string' ? readMillis(parseDate(value, ZONE), ZONE) : undefined;
}

function readInFormat(value: unknown, format: string): DateTime | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  return readFormatted(String(value), format, ZONE, true);
}
