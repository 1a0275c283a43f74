import { LIMITS } from '@weft/service-kit/limits';
import { NodeFailure } from '@weft/engine';

/**
 * Limit in bytes of all responses of one node run: they are in memory together, and the items they become must fit its
 * output.
 */
const MAX_BYTES = LIMITS.nodeOutput.max;

/** Bytes that the responses of one node run may still have. */
export class ResponseBudget {
  #left = MAX_BYTES;

  /** The limit for the next response. @throws NodeFailure if nothing is left. */
  limit(): number {
    if (this.#left <= 0) {
      throw new NodeFailure(
        `The responses of this node have more than ${MAX_BYTES / 1024 / 1024} MB in all, the limit of what ` +
          `one node run gives (${LIMITS.nodeOutput.name}).`,
        {
          description: 'Fetch less at a time: loop over batches of items, or limit the number of pages.',
        },
      );
    }
    return this.#left;
  }

  /** A response became a file, which has its own limits and is no longer in memory. */
  giveBack(bytes: number): void {
    this.#left += bytes;
  }

  /** Counts a response. */
  spend(bytes: number): void {
    this.#left -= bytes;
  }
}
