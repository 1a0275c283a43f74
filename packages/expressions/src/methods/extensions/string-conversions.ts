import { decodeBase64, digest, encodeBase64 } from '#platform';
import { DateTime } from 'luxon';
import { LIMITS } from '../../limits';
import { parseDate } from '../../dates/parse-date';
import { fromLocal, toLocal } from '../../dates/local-time';
import { isReadableFormat } from '../../dates/parse-date';
import { toInteger } from '../../runtime/convert';
import type { Arguments } from '../../runtime/values/function-value';
import { isArray, isPlainObject } from '../../runtime/kinds';
import { stringifyJson } from '../../runtime/data/json';
import { parseJson } from '../../runtime/data/parse-json';
import type { Run } from '../../runtime/run';
import { ErrorValue, Thrown, typeError } from '../../runtime/thrown';
import type { DigestName } from '../../platform/platform';
import { methodTable } from '../method';
import { isString } from '../type-tests';
import { misuse } from '../../errors';
import { momentOf } from './number';
import { readMoment } from './read-moment';

/** Signs and abbreviations of currencies, which stand before or behind an amount. */
const CURRENCY_SIGNS = new RegExp(
  '[$€£¥₹₽₩₪₫₴₦₱₺؋ƒ₼៛₡¢﷼₭₨₮฿]|Дин\\.|B/\\.|S/\\.|' + 'Lek|CHF|ден|lei|Br|KM|лв|kn|Kč|kr|Ft|Rp|RM|MT|Gs|zł|Bs|P|Q|L|S|R',
  'g',
);
const HASHES: Readonly<Record<string, DigestName>> = {
  md5: 'md5',
  sha1: 'sha1',
  sha224: 'sha224',
  sha256: 'sha256',
  sha384: 'sha384',
  sha512: 'sha512',
  sha3: 'sha3-512',
};

function toBoolean(text: string): boolean {
  return !['', 'false', 'no', '0'].includes(text.toLowerCase());
}

function number(text: string, read: (cleaned: string) => number, method: string, what = 'number'): number {
  const value = read(text.replace(CURRENCY_SIGNS, ''));
  if (Number.isNaN(value)) throw misuse(method, `cannot convert to ${what}: "${text.slice(0, 100)}"`);
  return value;
}

function toFloat(text: string, method: string): number {
  if (text.includes(',')) throw misuse(method, 'cannot convert to float, expected . as decimal separator');
  return number(text, Number.parseFloat, method, 'float');
}

function toInt(run: Run, text: string, radix: unknown, method: string): number {
  return number(text, (cleaned) => Number.parseInt(cleaned, toInteger(run, radix)), method, 'integer');
}

/** The date in the text; a date without a time is midnight in the workflow's zone. */
function toDate(run: Run, text: string): Date {
  const zone = run.scope.timezone;
  const time = parseDate(text, zone);
  if (Number.isNaN(time)) throw misuse('toDate', `cannot convert to date: "${text.slice(0, 100)}"`);
  const date = new Date(time);
  if (/:/.test(text)) return date;
  const local = toLocal(date, zone);
  return new Date(fromLocal(local.setUTCHours(0, 0, 0, 0), zone));
}

/** The moment in the text. With a format that the text does not have: an invalid DateTime. */
function toDateTime(run: Run, text: string, [format]: Arguments): DateTime {
  if (!Boolean(format)) {
    const moment = readMoment(run, text);
    if (moment === undefined) throw misuse('toDateTime', `cannot convert to Luxon DateTime: "${text.slice(0, 100)}"`);
    return moment;
  }
  if (typeof format !== 'string') return unformatted(format);
  const name = format;
  if (['ms', 's', 'us', 'excel'].includes(name)) return momentOf(run, Number(text), name);
  if (text.length > LIMITS.dateTextLength || !isReadableFormat(name))
    throw misuse('toDateTime', 'the string or the format is too long');
  return DateTime.fromFormat(text, name, { zone: run.scope.timezone, locale: 'en-US' });
}

/** A format that is not text has nothing to go by; one of several entries cannot be gone through. */
function unformatted(format: unknown): DateTime {
  const isEmpty = isArray(format) ? format.length === 0 : isPlainObject(format);
  if (isEmpty || typeof format === 'number' || typeof format === 'boolean') return DateTime.invalid('unparsable');
  throw misuse('toDateTime', 'a format must be a string');
}

function hash(run: Run, text: string, [algorithm]: Arguments): string {
  const chosen = algorithm ?? 'md5';
  if (typeof chosen !== 'string') throw typeError('An algorithm must be a string');
  const name = chosen.toLowerCase();
  if (name === 'base64') return base64Encode(run, text);
  const known = Object.hasOwn(HASHES, name) ? HASHES[name] : undefined;
  if (known === undefined)
    throw misuse(
      'hash',
      `Unknown algorithm ${name.slice(0, 100)}. Available algorithms are ${Object.keys(HASHES).join(', ')} and base64`,
    );
  return digest(known, text);
}

function base64Encode(run: Run, text: string): string {
  run.allowText(text.length * 4);
  return encodeBase64(text);
}

/** Characters that are not of the alphabet are passed over, padding within the text too. */
function base64Decode(run: Run, text: string): string {
  run.allowText(text.length);
  return decodeBase64(text.replace(/[^A-Za-z0-9+/_-]/g, ''));
}

function parse(run: Run, text: string): unknown {
  try {
    return parseJson(run, text);
  } catch (error) {
    if (!(error instanceof Thrown) || !(error.value instanceof ErrorValue)) throw error;
    throw misuse(
      'parseJson',
      `Parsing failed. Check that the text is valid JSON with quotes and no trailing comma. ${error.value.message}`,
    );
  }
}

/** Encodes for a URL; one character takes up to nine. */
function urlEncode(run: Run, text: string, [whole]: Arguments): string {
  run.allowText(text.length, text.length * 9);
  const encoded = uri(() => (Boolean(whole) ? encodeURI(text) : encodeURIComponent(text)));
  run.allowText(encoded.length, 0);
  return encoded;
}

function urlDecode(run: Run, text: string, [whole]: Arguments): string {
  run.allowText(text.length);
  return uri(() => (Boolean(whole) ? decodeURI(text) : decodeURIComponent(text)));
}

function uri(body: () => string): string {
  try {
    return body();
  } catch {
    throw new Thrown(new ErrorValue('URIError', 'URI malformed'));
  }
}

/** Methods that expressions add to strings, to convert them to other types. */
export const stringConversionExtensions = methodTable('String', isString, {
  base64Decode,
  base64Encode,
  encrypt: hash,
  hash,
  isNumeric: (_run, self) =>
    !self.includes(' ') && !Number.isNaN(Number(self)) && !Number.isNaN(Number.parseFloat(self)),
  parseJson: parse,
  toBoolean: (_run, self) => toBoolean(self),
  toDate,
  toDateTime,
  toDecimalNumber: (_run, self) => toFloat(self, 'toDecimalNumber'),
  toFloat: (_run, self) => toFloat(self, 'toFloat'),
  toInt: (run, self, [radix]) => toInt(run, self, radix, 'toInt'),
  toJsonString: (run, self) => stringifyJson(run, self),
  toNumber: (_run, self) => number(self, Number, 'toNumber'),
  toWholeNumber: (run, self, [radix]) => toInt(run, self, radix, 'toWholeNumber'),
  urlDecode,
  urlEncode,
});
