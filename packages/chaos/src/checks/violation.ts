/** A promise that was broken. */
export interface Violation {
  /** The promise, in a few words that begin with its number if it has one. */
  readonly check: string;
  /** Empty if it is about no single execution. */
  readonly executionId: string;
  readonly what: string;
}
