import { createHash } from 'node:crypto';

/** Names for common schedules, as five fields, or six with seconds. */
const NICKNAMES: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
  ['@minutely', '* * * * *'],
  ['@secondly', '* * * * * *'],
  ['@weekdays', '0 0 * * 1-5'],
  ['@weekends', '0 0 * * 0,6'],
]);

/**
 * Lowest and highest value of `H` in each of six fields, and the highest one of a range. `H` for the day of the month
 * ends at 28, so that every month has the day.
 */
const HASHED_RANGES: readonly (readonly [min: number, max: number, rangeMax: number])[] = [
  [0, 59, 59],
  [0, 59, 59],
  [0, 23, 23],
  [1, 28, 31],
  [1, 12, 12],
  [0, 6, 7],
];

/** Longest expression in characters; listing every value of every field needs about half of it. */
const MAX_LENGTH = 1_024;

/** `H`, `H(0-29)`, `H/15` or `H(0-29)/10`; not the H of THU. */
const HASHED = /(?<![A-Za-z])H(?:\((\d{1,3})-(\d{1,3})\))?(?:\/(\d{1,4}))?(?![A-Za-z])/g;

/** The expression, or why it cannot be used. */
export type CronReading = { readonly expression: string } | { readonly error: string };

/**
 * Turns a cron expression into plain fields: a nickname such as `@daily` becomes its fields, and each `H` a value that
 * depends only on `seed` and the position of the field. The stored schedule has the values, so all replicas and
 * previews agree on the due times.
 */
export function readCronExpression(given: string, seed: string): CronReading {
  const expression = given.trim();
  if (expression.length > MAX_LENGTH) return { error: `it is longer than ${MAX_LENGTH} characters` };
  if (expression.startsWith('@')) {
    const fields = NICKNAMES.get(expression.toLowerCase());
    return fields === undefined
      ? { error: `the known nicknames are ${[...NICKNAMES.keys()].join(', ')}` }
      : { expression: fields };
  }
  const fields = expression.split(/\s+/);
  if (fields.length !== 5 && fields.length !== 6)
    return { error: 'five fields, or six with seconds, or a nickname such as @daily' };
  const resolved = fields.map((field, index) => withoutHash(field, index + HASHED_RANGES.length - fields.length, seed));
  const failed = resolved.find((one) => 'error' in one);
  return failed ?? { expression: resolved.map((one) => ('expression' in one ? one.expression : '')).join(' ') };
}

/** Replaces each `H` of a field. */
function withoutHash(field: string, position: number, seed: string): CronReading {
  if (!field.includes('H')) return { expression: field };
  const [lowest, highest, rangeHighest] = HASHED_RANGES[position] ?? [0, 0, 0];
  let error: string | undefined;
  const expression = field.replaceAll(HASHED, (written: string, from?: string, to?: string, step?: string) => {
    const min = from === undefined ? lowest : Number(from);
    const max = to === undefined ? highest : Number(to);
    const every = step === undefined ? undefined : Number(step);
    if (min < lowest || max > rangeHighest || min > max || every === 0) {
      error ??= `${written} is not a range of this field, which has ${lowest} to ${rangeHighest}`;
      return written;
    }
    return hashedValues(min, max, every ?? max - min + 1, fraction(`${seed} ${position}`)).join(',');
  });
  return error === undefined ? { expression } : { error };
}

/** Every `every`-th value of a range, from a value that `at` (0 to below 1) picks; at least one value. */
function hashedValues(min: number, max: number, every: number, at: number): number[] {
  const step = Math.min(every, max - min + 1);
  const values: number[] = [];
  for (let value = min + Math.floor(at * step); value <= max; value += every) values.push(value);
  return values;
}

/** A number from 0 to below 1 that depends only on the text. */
function fraction(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;
}
