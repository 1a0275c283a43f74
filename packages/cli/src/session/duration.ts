import { CommandError, EXIT } from './exit-code';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const MAX_MS = 365 * 86_400_000;

/** Milliseconds of `500ms`, `30s`, `10m`, `2h` or `7d`. @throws CommandError for anything else */
export const durationOf = (text: string): number => {
  const [, number = '', unit = ''] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? [];
  const factor = UNITS[unit];
  if (factor === undefined || Number(number) * factor > MAX_MS)
    throw new CommandError(`"${text}" is not a duration such as 30s, 10m, 2h or 7d.`, EXIT.usage);
  return Number(number) * factor;
};

/** The time that `2h` (ago) or a date with a zone means, in the form of the API. @throws CommandError */
export const timeOf = (text: string, nowMs: number = Date.now()): string => {
  if (/^\d{1,9}(?:ms|s|m|h|d)$/.test(text)) return new Date(nowMs - durationOf(text)).toISOString();
  const time = /[Zz]|[+-]\d\d:?\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new CommandError(`"${text}" is neither a duration such as 2h nor a time with a zone.`, EXIT.usage);
  return new Date(time).toISOString();
};
