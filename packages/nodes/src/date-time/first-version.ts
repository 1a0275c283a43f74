import { DateTime } from 'luxon';
import { type Item, type NodeContext, NodeFailure } from '@weft/engine';
import { choiceParameter, numberParameter, textParameter } from '../shared/read-parameter';
import type { MadeItem } from '../shared/each-item';
import { setPath } from '../shared/values/json-path';
import { formatWithTokens, readingFormat } from './moment-tokens';
import { readText, readTimestamp } from './read-date';
import { checkedFormat, checkedZone } from './zone-and-format';

const UNITS = ['quarters', 'years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds', 'milliseconds'] as const;

/** Dates of this version are in UTC unless a zone is stated: workflows rely on it. */
const ZONE = 'UTC';

/** Version 1: converts a date to another format, or adds to it. An item without a value is left out. */
export function runFirstVersion(context: NodeContext, item: Item, index: number): MadeItem[] {
  const value = context.parameter('value', index);
  if (value === undefined) return [];
  const action = choiceParameter(context, 'action', index, ['format', 'calculate']);
  const result = action === 'format' ? formatted(context, value, index) : calculated(context, value, index);
  const json = { ...item.json };
  setPath(json, textParameter(context, 'dataPropertyName', index, 'data') || 'data', result);
  return [{ json, ...(item.binary === undefined ? {} : { binary: item.binary }) }];
}

function formatted(context: NodeContext, value: unknown, index: number): string {
  const fromZone = textParameter(context, 'options.fromTimezone', index);
  const toZone = textParameter(context, 'options.toTimezone', index);
  const fromFormat = textParameter(context, 'options.fromFormat', index);
  const states = fromZone !== '' || toZone !== '';
  const readIn = states ? checkedZone(fromZone || context.timezone, index) : ZONE;
  const date = readNumber(value) ?? readStated(value, readIn, fromFormat);
  if (date === undefined) {
    throw new NodeFailure('The date input format could not be recognized. Please set the "From Format" field', {
      itemIndex: index,
    });
  }
  const format = checkedFormat(textParameter(context, 'toFormat', index, 'MM/DD/YYYY'), index);
  return formatWithTokens(states ? date.setZone(checkedZone(toZone || context.timezone, index)) : date, format);
}

/** Numbers of 12 digits are milliseconds, also in strings; a format of the value does not change that. */
function readNumber(value: unknown): DateTime | undefined {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return undefined;
  return readTimestamp(Number(value), ZONE);
}

function readStated(value: unknown, zone: string, fromFormat: string): DateTime | undefined {
  if (DateTime.isDateTime(value)) return value.isValid ? value : undefined;
  if (value instanceof Date) return DateTime.fromJSDate(value, { zone });
  if (typeof value !== 'string' || value.length > 1_000) return undefined;
  if (fromFormat === '') return readText(value.trim(), zone, ZONE);
  const date = DateTime.fromFormat(value.trim(), readingFormat(fromFormat), { zone, locale: 'en-US' });
  return date.isValid ? date : undefined;
}

function calculated(context: NodeContext, value: unknown, index: number): string {
  const fromFormat = textParameter(context, 'options.fromFormat', index);
  const date = readStamp(value, fromFormat) ?? readStated(value, ZONE, fromFormat);
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
  const result = (operation === 'add' ? date.plus({ [unit]: duration }) : date.minus({ [unit]: duration }))
    .toUTC()
    .toISO();
  if (result === null)
    throw new NodeFailure('The date that comes out lies beyond what can be stated.', { itemIndex: index });
  return result;
}

/** A number without a format is milliseconds here; `x` and `X` state its unit. */
function readStamp(value: unknown, fromFormat: string): DateTime | undefined {
  if (fromFormat === '' ? typeof value !== 'number' : fromFormat !== 'x' && fromFormat !== 'X') return undefined;
  const millis = Number(value) * (fromFormat === 'X' ? 1_000 : 1);
  if (!Number.isFinite(millis)) return undefined;
  const date = DateTime.fromMillis(millis, { zone: ZONE });
  return date.isValid ? date : undefined;
}
