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

const placesOf = ({ user, granted }: Verification, count: number): CountedUser[] =>
  Array.from({ length: count }, (_, index) => ({
    ...user,
    isGranted: index < granted,
    remaining: index < granted ? user.remaining + (granted - 1 - index) : 0,
  }));

/** How one kind of proof is verified. */
export interface CountingVerification<Proof> {
  /** Equal for requests that may share a call. */
  readonly keyOf: (proof: Proof) => string;
  /** Secret by which wrong proofs of a client are limited; undefined: the credentials service limits them. */
  readonly guessOf: (proof: Proof) => { readonly clientAddress: string; readonly secret: string } | undefined;
  /** Verifies a proof for `count` requests. @throws Unauthorized */
  readonly ask: (proof: Proof, count: number) => Promise<Verification>;
}

/**
 * Verifies requests with as few calls as possible: concurrent requests with the same proof share one call, which counts
 * all of them. Nothing is cached, so a deleted key or an ended session fails on the next request. Wrong secrets are
 * limited by client block.
 */
export const createCountingVerifier = <Proof>({
  keyOf,
  guessOf,
  ask,
}: CountingVerification<Proof>): ((proof: Proof) => Promise<CountedUser>) => {
  const limit = createFailureLimit();
  const batchers = new Map<string, { verify: (item: Proof) => Promise<CountedUser>; users: number }>();
  return async function verifyProof(proof) {
    const key = keyOf(proof);
    const entry = batchers.get(key) ?? {
      users: 0,
      verify: createBatcher<Proof, CountedUser>({
        maxBatch: 500,
        concurrency: 4,
        maxQueued: 5_000,
        flush: async (items) => placesOf(await ask(proof, items.length), items.length),
      }),
    };
    batchers.set(key, entry);
    entry.users += 1;
    try {
      const guess = guessOf(proof);
      return guess === undefined
        ? await entry.verify(proof)
        : await limit.check(clientBlock(guess.clientAddress), guess.secret, () => entry.verify(proof));
    } finally {
      entry.users -= 1;
      if (entry.users === 0) batchers.delete(key);
    }
  };
};

/** Verifies API keys and Basic. */
export const createVerifyUser = (ask: AskVerification): VerifyUser =>
  createCountingVerifier<UserProof>({
    keyOf: (proof) =>
      proof.kind === 'api-key'
        ? `k ${proof.apiKey}`
        : `b ${JSON.stringify([proof.username, proof.password, proof.clientAddress])}`,
    // Wrong passwords are limited by the credentials service.
    guessOf: (proof) =>
      proof.kind === 'basic' ? undefined : { clientAddress: proof.clientAddress ?? '', secret: proof.apiKey },
    ask,
  });

/** The error for a user over the limit. */
export const rateLimitExceeded = (user: VerifiedUser): RateLimitExceeded =>
  new RateLimitExceeded(user.limit, Math.max(1, Math.ceil((user.resetAt.getTime() - Date.now()) / 1000)));
