import { LIMITS } from '@weft/service-kit/limits';
import { NodeFailure } from '@weft/engine';

/**
 * Limit in bytes of all responses of one node run. They are in memory together, and the items created from them must
 * fit the node's output.
 */
const MAX_BYTES = LIMITS.nodeOutput.max;

/** Bytes left for the responses of one node run. */
export class ResponseBudget {
  #left: number;

  /** @param bytes a smaller limit than that of a node run */
  constructor(bytes = MAX_BYTES) {
    this.#left = bytes;
  }

  /** The limit for the next response. @throws NodeFailure if nothing is left */
  limit(): number {
    if (this.#left <= 0) {
      throw new NodeFailure(
        `The responses of this node exceed ${MAX_BYTES / 1024 / 1024} MB in total, the limit for the output of ` +
          `one node run (${LIMITS.nodeOutput.name}).`,
        {
          description: 'Fetch less at a time: loop over batches of items, or limit the number of pages.',
        },
      );
    }
    return this.#left;
  }

  /** Frees the bytes of a response that became a file, which has separate limits and is no longer in memory. */
  giveBack(bytes: number): void {
    this.#left += bytes;
  }

  spend(bytes: number): void {
    this.#left -= bytes;
  }
}
