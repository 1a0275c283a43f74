import { isObject } from '@weft/service-kit/json';

/** A search request to the regex process. */
export interface RegexQuestion {
  readonly pattern: string;
  readonly flags: string;
  readonly from: number;
  /** Absent if it is the text of the previous request. */
  readonly text?: string;
}

/** Outcome of a completed search. Null groups took no part in the match. */
export interface RegexFound {
  /** Absent if there is no match. */
  readonly match?: {
    readonly index: number;
    readonly groups: readonly (string | null)[];
    readonly named?: Readonly<Record<string, string | null>>;
  };
  /** CPU milliseconds of the search. */
  readonly workMs: number;
}

/** Outcome of a search. `isLate`: it did not complete in time. */
export type RegexAnswer = RegexFound | { readonly isLate: true };

const isGroup = (value: unknown): value is string | null => value === null || typeof value === 'string';

/** Reads the response of a process, which may be compromised; undefined if it is invalid. */
export const readRegexAnswer = (text: string): RegexAnswer | undefined => {
  try {
    const answer: unknown = JSON.parse(text);
    if (!isObject(answer)) return undefined;
    if (answer['isLate'] === true) return { isLate: true };
    const { match, workMs } = answer;
    if (typeof workMs !== 'number' || workMs < 0) return undefined;
    if (match === undefined) return { workMs };
    if (!isObject(match)) return undefined;
    const { index, groups, named } = match;
    if (typeof index !== 'number' || !Array.isArray(groups) || !groups.every(isGroup)) return undefined;
    if (named === undefined) return { match: { index, groups }, workMs };
    if (!isObject(named)) return undefined;
    const entries = Object.entries(named).flatMap(([name, value]) => (isGroup(value) ? [[name, value] as const] : []));
    return { match: { index, groups, named: Object.fromEntries(entries) }, workMs };
  } catch {
    return undefined;
  }
};
