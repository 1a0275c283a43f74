/** What the refusal of a start adds: a detail for programs, and a sentence behind its message for people. */
export interface StartOutcome {
  readonly started: 'no' | 'unknown' | 'yes';
  readonly sentence: string;
}

/** The refusal is certain: there is no execution, and will be none. */
export const NOT_STARTED: StartOutcome = { started: 'no', sentence: 'Nothing was started.' };

/** The start was on its way to the store when it failed; the execution is named by `executionId`. */
export const PERHAPS_STARTED: StartOutcome = {
  started: 'unknown',
  sentence: 'Whether it was started is not known: ask for the execution.',
};

/** The execution exists, and is named by `executionId`; what failed came after that. */
export const HAS_STARTED: StartOutcome = { started: 'yes', sentence: 'The execution was started.' };
