import { DateTime, Duration, Interval } from 'luxon';
import { ExpressionError } from '../errors';
import { valueOf, type FixedScopeOptions } from './fixed-scope';

/** An expression, and the run that it sees. */
export interface Case {
  readonly text: string;
  readonly options: FixedScopeOptions;
}

/** Value or error of an evaluation as a string that is equal for equal outcomes, whatever program evaluates it. */
export function outcomeOf({ text, options }: Case): string {
  try {
    return encode(valueOf(text, options), 0);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const { type, message, description, position, node } = error;
    return `error ${JSON.stringify({ type, message, description, position, node })}`;
  }
}

function encode(value: unknown, depth: number): string {
  if (depth > 50) return 'deep';
  const inner = (one: unknown): string => encode(one, depth + 1);
  if (typeof value === 'number' && (Object.is(value, -0) || !Number.isFinite(value)))
    return Object.is(value, -0) ? '-0' : String(value);
  if (value === undefined) return 'undefined';
  if (typeof value !== 'object' || value === null)
    return typeof value === 'bigint' ? `${value}n` : JSON.stringify(value);
  if (value instanceof Date) return `Date ${Number.isNaN(value.getTime()) ? 'invalid' : value.toISOString()}`;
  if (DateTime.isDateTime(value)) return `DateTime ${String(value.toISO())} ${String(value.zoneName)}`;
  if (Duration.isDuration(value)) return `Duration ${String(value.toISO())}`;
  if (Interval.isInterval(value)) return `Interval ${value.toISO()}`;
  if (Array.isArray(value)) return `[${value.map(inner).join()}]`;
  if (value instanceof Map) return `Map ${inner([...value])}`;
  if (value instanceof Set) return `Set ${inner([...value])}`;
  return `{${Object.entries(value)
    .map(([key, entry]) => `${JSON.stringify(key)}:${inner(entry)}`)
    .join()}}`;
}

/** The outcomes of cases as JSON, and the outcomes as JSON: text is all that two realms exchange. */
export function outcomesOf(cases: string): string {
  const read: readonly Case[] = JSON.parse(cases);
  return JSON.stringify(read.map(outcomeOf));
}
