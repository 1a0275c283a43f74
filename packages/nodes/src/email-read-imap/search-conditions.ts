import { isJsonObject, type Json } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import type { MailCondition, MailDateField, MailFlag, MailTextField } from '@weft/outbound';

const MAX_CONDITIONS = 50;
const MAX_DEPTH = 5;

const FLAGS: Readonly<Record<string, MailFlag>> = {
  ANSWERED: 'answered',
  DELETED: 'deleted',
  DRAFT: 'draft',
  FLAGGED: 'flagged',
  SEEN: 'seen',
};
const ARRIVALS: Readonly<Record<string, 'new' | 'old' | 'recent'>> = { NEW: 'new', OLD: 'old', RECENT: 'recent' };
const TEXTS: Readonly<Record<string, MailTextField>> = {
  BCC: 'bcc',
  BODY: 'body',
  CC: 'cc',
  FROM: 'from',
  SUBJECT: 'subject',
  TEXT: 'text',
  TO: 'to',
};
const DATES: Readonly<Record<string, MailDateField>> = {
  BEFORE: 'before',
  ON: 'on',
  SINCE: 'since',
  SENTBEFORE: 'sentBefore',
  SENTON: 'sentOn',
  SENTSINCE: 'sentSince',
};
const UID_RANGE = /^(?:[1-9]\d{0,9}|\*)(?::(?:[1-9]\d{0,9}|\*))?$/;
const isUids = (text: string): boolean => text.split(',').every((range) => UID_RANGE.test(range));

/**
 * Reads the conditions of a mail trigger: a JSON array of IMAP search keys, such as `["UNSEEN", ["FROM", "ada"]]`.
 * `!` before a key negates it; `OR` takes two conditions.
 * @throws NodeFailure with the invalid condition
 */
export function readConditions(text: string): readonly MailCondition[] {
  let given: Json;
  try {
    given = JSON.parse(text);
  } catch (cause) {
    throw new NodeFailure('The custom email rules are not valid JSON', { cause, description: EXAMPLE });
  }
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_CONDITIONS)
    throw new NodeFailure(`The custom email rules must be a JSON array of 1 to ${MAX_CONDITIONS} conditions`, {
      description: EXAMPLE,
    });
  return given.map((one) => readCondition(one, 0));
}

const EXAMPLE = 'For example: ["UNSEEN", ["FROM", "ada@example.com"]]';

function readCondition(given: Json, depth: number): MailCondition {
  const [key, ...values] = typeof given === 'string' ? [given] : Array.isArray(given) ? given : [];
  if (typeof key !== 'string' || depth > MAX_DEPTH) throw refused(given, 'is not a search key');
  if (key.startsWith('!')) return { kind: 'not', condition: conditionOf(key.slice(1), values, given, depth) };
  return conditionOf(key, values, given, depth);
}

function conditionOf(given: string, values: readonly Json[], whole: Json, depth: number): MailCondition {
  const key = given.toUpperCase();
  const [first, second] = values;
  const one = (): string => {
    const value = typeof first === 'number' ? String(first) : first;
    if (values.length !== 1 || typeof value !== 'string' || value === '') throw refused(whole, 'needs one value');
    return checkedText(value, whole);
  };
  const isNegative = key.startsWith('UN');
  const flag = lookUp(FLAGS, isNegative ? key.slice(2) : key);
  if (flag !== undefined) return noValue(values, whole, { kind: 'flag', flag, isSet: !isNegative });
  const arrival = lookUp(ARRIVALS, key);
  if (arrival !== undefined) return noValue(values, whole, { kind: 'arrival', arrival });
  const text = lookUp(TEXTS, key);
  if (text !== undefined) return { kind: 'text', field: text, text: one() };
  const date = lookUp(DATES, key);
  if (date !== undefined) return { kind: 'date', field: date, day: dayOf(one(), whole) };
  switch (key) {
    case 'ALL':
      return noValue(values, whole, { kind: 'all' });
    case 'KEYWORD':
    case 'UNKEYWORD':
      return { kind: 'keyword', keyword: one(), isSet: key === 'KEYWORD' };
    case 'LARGER':
    case 'SMALLER':
      return { kind: 'size', field: key === 'LARGER' ? 'larger' : 'smaller', bytes: bytesOf(one(), whole) };
    case 'HEADER':
      if (values.length !== 2 || typeof first !== 'string' || !/^[!-9;-~]+$/.test(first) || typeof second !== 'string')
        throw refused(whole, 'needs the name of a header and a string');
      return { kind: 'header', name: first, text: checkedText(second, whole) };
    case 'UID': {
      const uids = values.map(String).join(',');
      if (!isUids(uids)) throw refused(whole, 'needs UIDs such as "42:*"');
      return { kind: 'uid', uids };
    }
    case 'OR':
      if (values.length !== 2 || first === undefined || second === undefined || isJsonObject(first))
        throw refused(whole, 'needs two conditions');
      return { kind: 'or', conditions: [readCondition(first, depth + 1), readCondition(second, depth + 1)] };
    default:
      throw refused(whole, 'is not a known search key');
  }
}

function lookUp<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function noValue(values: readonly Json[], whole: Json, condition: MailCondition): MailCondition {
  if (values.length > 0) throw refused(whole, 'takes no value');
  return condition;
}

/** A line break would start another command. */
function checkedText(text: string, whole: Json): string {
  if (/[\r\n\0]/.test(text)) throw refused(whole, 'must be one line');
  return text;
}

/** IMAP compares days. A date without a zone is that day in any zone. */
function dayOf(text: string, whole: Json): string {
  const date = /^\d{4}-\d{2}-\d{2}/.test(text) ? new Date(text.slice(0, 10)) : new Date(`${text} UTC`);
  const read = Number.isNaN(date.getTime()) ? new Date(text) : date;
  if (Number.isNaN(read.getTime())) throw refused(whole, 'needs a date such as "2026-01-31"');
  return read.toISOString().slice(0, 10);
}

function bytesOf(text: string, whole: Json): number {
  const bytes = Number(text);
  if (!Number.isSafeInteger(bytes) || bytes < 1) throw refused(whole, 'needs a number of bytes');
  return bytes;
}

function refused(given: Json, why: string): NodeFailure {
  return new NodeFailure(`The condition ${JSON.stringify(given).slice(0, 200)} of the custom email rules ${why}`, {
    description: EXAMPLE,
  });
}
