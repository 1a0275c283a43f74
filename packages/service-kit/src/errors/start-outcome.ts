/** Additions to a refused start: a detail for programs and a sentence for people, appended to the message. */
export interface StartOutcome {
  readonly started: 'no' | 'unknown' | 'yes';
  readonly sentence: string;
}

/** There certainly is no execution, and there will be none. */
export const NOT_STARTED: StartOutcome = { started: 'no', sentence: 'Nothing was started.' };

/** The start failed on its way to the store; `executionId` names the execution that may exist. */
export const PERHAPS_STARTED: StartOutcome = {
  started: 'unknown',
  sentence: 'Whether it was started is not known: ask for the execution.',
};

/** The execution exists and `executionId` names it; the failure came later. */
export const HAS_STARTED: StartOutcome = { started: 'yes', sentence: 'The execution was started.' };
