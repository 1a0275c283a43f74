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
