import { Unavailable } from '../errors';
import { isDuplicateKey, withStore } from './store-errors';

/** The three ways to count in a window, each an atomic write that resolves to null if it does not apply. */
export interface WindowSteps<Window> {
  readonly countInOpen: () => Promise<Window | null>;
  /** Replaces a window that has ended. */
  readonly reopen: () => Promise<Window | null>;
  /** Inserts the first window. A duplicate key means that another replica was faster. */
  readonly insert: () => Promise<Window>;
}

/** One of several concurrent callers opens the window; the others count in it in their second round. */
const MAX_ROUNDS = 5;

const orNull = async <Window>(step: () => Promise<Window | null>): Promise<Window | null> => {
  try {
    return await step();
  } catch (error) {
    if (isDuplicateKey(error)) return null;
    throw error;
  }
};

/**
 * Counts in the open window, or opens one. Upserts would need fewer steps, but some MongoDB-compatible servers report
 * two concurrent upserts as an error.
 * @throws Unavailable
 */
export const countInWindow = async <Window>({ countInOpen, reopen, insert }: WindowSteps<Window>): Promise<Window> => {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    for (const step of [countInOpen, reopen, insert]) {
      const window = await withStore(() => orNull(step));
      if (window !== null) return window;
    }
  }
  throw new Unavailable('The count cannot be stored at the moment. Try again.');
};
