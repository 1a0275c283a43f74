import type { FailureReason } from './execution-store';

/** Ends a run as an error for a reason of its own: the fault of no node, and none of the engine. */
export class RunError extends Error {
  constructor(
    /** A row of docs/errors.md. */
    readonly reason: FailureReason,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'RunError';
  }
}
