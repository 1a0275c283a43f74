import { Unavailable } from '@weft/service-kit/errors';
import { isDuplicateKey, withStore } from '@weft/service-kit/mongo';

/** The three ways to count in a window, each one atomic write. Each gives null if it is not the one that applies. */
export interface WindowSteps<Window> {
  readonly countInOpen: () => Promise<Window | null>;
  /** Takes the place of a window that is over. */
  readonly reopen: () => Promise<Window | null>;
  /** Makes the first window. A duplicate key means that somebody else just did. */
  readonly insert: () => Promise<Window>;
}

/** One of those who race opens a window, the others find it open on their second round; more rounds are for faults. */
const ROUNDS = 5;

const orNull = async <Window>(step: () => Promise<Window | null>): Promise<Window | null> => {
  try {
    return await step();
  } catch (error) {
    if (isDuplicateKey(error)) return null;
    throw error;
  }
};

/**
 * Counts in the open window, or opens one. Upserts would need fewer steps, but MongoDB-compatible servers do not all
 * tell a lost race of two of them from a fault.
 * @throws Unavailable
 */
export const countInWindow = async <Window>({ countInOpen, reopen, insert }: WindowSteps<Window>): Promise<Window> => {
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const step of [countInOpen, reopen, insert]) {
      const window = await withStore(() => orNull(step));
      if (window !== null) return window;
    }
  }
  throw new Unavailable('The requests cannot be counted now.');
};
