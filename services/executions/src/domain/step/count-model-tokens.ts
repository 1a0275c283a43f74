import { readClaimed } from '../claim/check-claim';
import type { Clock, ReadHeld } from '../state/ports';

const DAY_MS = 86_400_000;

/** State of a window after tokens were counted in it, or were not. */
export interface TokenWindow {
  /** Days since the epoch (UTC); a window is one such day. */
  readonly day: number;
  /** Tokens that the owner has used on this day. */
  readonly used: number;
  /** False: they would have exceeded the limit. */
  readonly counted: boolean;
}

/** Store of the windows, shared by all replicas. */
export interface TokenWindowStore {
  /**
   * Counts tokens in the window of `day`, or in the next one if a replica with a faster clock has opened it.
   * @param tokens may be negative; the count never falls below 0
   * @param limit absent: counts them in any case
   */
  readonly count: (ownerId: string, day: number, tokens: number, limit?: number) => Promise<TokenWindow>;
}

/** Tokens of models that an execution counts for its owner. */
export interface TokenCount {
  readonly executionId: string;
  readonly fence: number;
  readonly tokens: number;
  readonly limit?: number | undefined;
}

/** The window in which they were counted. */
export interface CountedTokens extends Omit<TokenWindow, 'day'> {
  readonly resetAt: Date;
}

/** Counts tokens of models for the owner of a claimed execution. @throws ClaimLost, Unavailable */
export type CountModelTokens = (count: TokenCount) => Promise<CountedTokens>;

export const createCountModelTokens =
  (readHeld: ReadHeld, windows: TokenWindowStore, clock: Clock): CountModelTokens =>
  async ({ executionId, fence, tokens, limit }) => {
    const { ownerId } = await readClaimed(executionId, fence, readHeld);
    const { day, used, counted } = await windows.count(ownerId, Math.floor(clock() / DAY_MS), tokens, limit);
    return { used, counted, resetAt: new Date((day + 1) * DAY_MS) };
  };
