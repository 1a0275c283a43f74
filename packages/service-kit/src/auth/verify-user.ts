import { createBatcher } from '../batching';
import { RateLimitExceeded } from '../errors';
import type { Role } from './roles';
import type { UserProof } from './user-proof';

/** A proof that held, and what is left of its rate window. */
export interface VerifiedUser {
  readonly userId: string;
  readonly email: string;
  readonly role: Role;
  /** Requests a minute; 0 means there is no limit. */
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: Date;
}

/** What one verification call answers for the `count` requests it stands for. */
export interface Verification {
  readonly user: VerifiedUser;
  /** How many of them are within the limit. */
  readonly granted: number;
}

/** Asks the credentials service. @throws Unauthorized */
export type AskVerification = (proof: UserProof, count: number) => Promise<Verification>;

/** One request's place in the answer of the call it shared. */
export interface CountedUser extends VerifiedUser {
  /** False: over the limit; refuse with `rateLimitExceeded`. */
  readonly isGranted: boolean;
}

/** Verifies one request. @throws Unauthorized */
export type VerifyUser = (proof: UserProof) => Promise<CountedUser>;

const keyOf = (proof: UserProof): string =>
  proof.kind === 'api-key' ? `k ${proof.apiKey}` : `b ${proof.username} ${proof.password}`;

const placesOf = ({ user, granted }: Verification, count: number): CountedUser[] =>
  Array.from({ length: count }, (_, index) => ({
    ...user,
    isGranted: index < granted,
    remaining: index < granted ? user.remaining + (granted - 1 - index) : 0,
  }));

/**
 * Verifies requests with as few calls as can be: requests of one proof that arrive together share one call,
 * which counts them all. Nothing is answered from an earlier call, so a deleted key fails on the next request.
 */
export const createVerifyUser = (ask: AskVerification): VerifyUser => {
  const batchers = new Map<string, { verify: (item: UserProof) => Promise<CountedUser>; users: number }>();
  return async (proof) => {
    const key = keyOf(proof);
    const entry = batchers.get(key) ?? {
      users: 0,
      verify: createBatcher<UserProof, CountedUser>({
        maxBatch: 500,
        concurrency: 4,
        maxQueued: 5_000,
        flush: async (items) => placesOf(await ask(proof, items.length), items.length),
      }),
    };
    batchers.set(key, entry);
    entry.users += 1;
    try {
      return await entry.verify(proof);
    } finally {
      entry.users -= 1;
      if (entry.users === 0) batchers.delete(key);
    }
  };
};

/** The refusal for a user that is over its limit. */
export const rateLimitExceeded = (user: VerifiedUser): RateLimitExceeded =>
  new RateLimitExceeded(user.limit, Math.max(1, Math.ceil((user.resetAt.getTime() - Date.now()) / 1000)));
