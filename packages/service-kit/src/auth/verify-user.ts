import { createBatcher } from '../batching';
import { RateLimitExceeded } from '../errors';
import { clientBlock } from './client-block';
import { createFailureLimit } from './failure-limit';
import type { Principal } from './roles';
import type { UserProof } from './user-proof';

/** An authenticated user and the state of the rate limit window. */
export interface VerifiedUser extends Principal {
  readonly email: string;
  /** Requests per minute; 0: no limit. */
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: Date;
}

/** Outcome of a verification of `count` requests. */
export interface Verification {
  readonly user: VerifiedUser;
  /** Number of requests within the limit. */
  readonly granted: number;
}

/** Asks the credentials service. @throws Unauthorized */
export type AskVerification = (proof: UserProof, count: number) => Promise<Verification>;

/** The result for one request of a shared verification. */
export interface CountedUser extends VerifiedUser {
  /** False if over the limit: refuse with `rateLimitExceeded`. */
  readonly isGranted: boolean;
}

/** The principal without the rate limit fields. */
export const principalOf = ({ userId, role, scopes, projects, reads, keyId }: Principal): Principal => ({
  userId,
  role,
  ...(scopes === undefined ? {} : { scopes }),
  ...(projects === undefined ? {} : { projects }),
  ...(reads === undefined ? {} : { reads }),
  ...(keyId === undefined ? {} : { keyId }),
});

/** Verifies one request. @throws Unauthorized */
export type VerifyUser = (proof: UserProof) => Promise<CountedUser>;

const keyOf = (proof: UserProof): string =>
  proof.kind === 'api-key'
    ? `k ${proof.apiKey}`
    : `b ${JSON.stringify([proof.username, proof.password, proof.clientAddress])}`;

const placesOf = ({ user, granted }: Verification, count: number): CountedUser[] =>
  Array.from({ length: count }, (_, index) => ({
    ...user,
    isGranted: index < granted,
    remaining: index < granted ? user.remaining + (granted - 1 - index) : 0,
  }));

/**
 * Verifies requests with as few calls as possible: concurrent requests with the same credentials share one call, which
 * counts all of them. Nothing is cached, so a deleted key fails on the next request. Wrong keys are limited by client
 * block.
 */
export const createVerifyUser = (ask: AskVerification): VerifyUser => {
  const limit = createFailureLimit();
  const batchers = new Map<string, { verify: (item: UserProof) => Promise<CountedUser>; users: number }>();
  return async function verifyUser(proof) {
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
      // Wrong passwords are limited by the credentials service.
      return proof.kind === 'basic'
        ? await entry.verify(proof)
        : await limit.check(clientBlock(proof.clientAddress ?? ''), proof.apiKey, () => entry.verify(proof));
    } finally {
      entry.users -= 1;
      if (entry.users === 0) batchers.delete(key);
    }
  };
};

/** The error for a user over the limit. */
export const rateLimitExceeded = (user: VerifiedUser): RateLimitExceeded =>
  new RateLimitExceeded(user.limit, Math.max(1, Math.ceil((user.resetAt.getTime() - Date.now()) / 1000)));
