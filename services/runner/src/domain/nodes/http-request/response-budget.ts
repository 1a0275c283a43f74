import { NodeFailure } from '../../engine/node-failure';

/** Bytes of one response, at most. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;
/** Bytes of all responses of one node run, at most: they are in memory together. */
const MAX_RUN_BYTES = 128 * 1024 * 1024;

/** Bytes that the responses of one node run may still have. */
export class ResponseBudget {
  #left = MAX_RUN_BYTES;

  /** The limit for the next response. @throws NodeFailure if nothing is left. */
  limit(): number {
    if (this.#left <= 0) {
      throw new NodeFailure(`The responses of this node have more than ${MAX_RUN_BYTES} bytes in all.`, {
        description: 'Fetch less at a time: loop over batches of items, or limit the number of pages.',
      });
    }
    return Math.min(MAX_RESPONSE_BYTES, this.#left);
  }

  /** Counts a response that came. */
  spend(bytes: number): void {
    this.#left -= bytes;
  }
}
