/** A search, as sent to the process for regular expressions. */
export interface RegexQuestion {
  readonly pattern: string;
  readonly flags: string;
  readonly from: number;
  /** Absent if it is that of the previous request. */
  readonly text?: string;
}

/** Outcome of a search. Null groups took no part in the match. */
export interface RegexAnswer {
  /** Absent if there is no match, or none was found in time. */
  readonly match?: {
    readonly index: number;
    readonly groups: readonly (string | null)[];
    readonly named?: Readonly<Record<string, string | null>>;
  };
  /** True if the time was over. */
  readonly isLate?: true;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isGroup = (value: unknown): value is string | null => value === null || typeof value === 'string';

/** Reads the answer of a process, which may be under the control of others; undefined if it is none. */
export const readRegexAnswer = (text: string): RegexAnswer | undefined => {
  try {
    const answer: unknown = JSON.parse(text);
    if (!isObject(answer)) return undefined;
    if (answer['isLate'] === true) return { isLate: true };
    const { match } = answer;
    if (match === undefined) return {};
    if (!isObject(match)) return undefined;
    const { index, groups, named } = match;
    if (typeof index !== 'number' || !Array.isArray(groups) || !groups.every(isGroup)) return undefined;
    if (named === undefined) return { match: { index, groups } };
    if (!isObject(named)) return undefined;
    const entries = Object.entries(named).flatMap(([name, value]) => (isGroup(value) ? [[name, value] as const] : []));
    return { match: { index, groups, named: Object.fromEntries(entries) } };
  } catch {
    return undefined;
  }
};
