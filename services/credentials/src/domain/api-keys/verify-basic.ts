import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { clientBlock } from '@weft/service-kit/auth';
import { createBoundedCache } from '@weft/service-kit/caching';
import { ServiceError, Unauthorized } from '@weft/service-kit/errors';
import type { Authenticate, Login } from '../users/authenticate';
import { normaliseEmail } from '../users/login';
import type { StoredUser, User, UserStore } from '../ownership/user';
import type { CountRequests } from './rate-window';
import type { CountedUser } from './verify-api-key';

/**
 * Verifies an email and a password for `count` requests.
 * @throws Unauthorized, with the message for a wrong key, whatever is wrong; Unavailable
 */
export type VerifyBasic = (login: Login, count: number) => Promise<CountedUser>;

export interface VerifyBasicPorts {
  /** If false, every attempt is refused. */
  readonly isEnabled: boolean;
  readonly users: Pick<UserStore, 'findByEmail'>;
  readonly authenticate: Authenticate;
  readonly countRequests: CountRequests;
  readonly clock: () => Date;
}

/** A recently verified password. */
interface VerifiedPassword {
  readonly proof: Buffer;
  readonly until: number;
}

const CACHE_MS = 60_000;
const MAX_CACHED = 1_000;

/**
 * Cache of the passwords verified within the last minute, as HMACs under a key of this process. Each includes the
 * stored hash, so that changing a password invalidates its entry immediately.
 */
const createVerifiedPasswords = (clock: () => Date) => {
  const key = randomBytes(32);
  const proofs = createBoundedCache<string, VerifiedPassword>({ maxEntries: MAX_CACHED });
  const hmac = (...parts: readonly string[]): Buffer =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest();
  const proofOf = (user: StoredUser, password: string): Buffer => hmac(user.id, user.passwordHash, password);
  return {
    /** Identifies a check, so that equal checks are shared. */
    checkIdOf: ({ email, password, address }: Login, stored: StoredUser | undefined): string =>
      hmac(email, password, address, stored?.passwordHash ?? '').toString('base64'),
    proofOf,
    holds: (user: StoredUser, proof: Buffer): boolean => {
      if (user.lockedAt !== undefined) return false;
      const known = proofs.get(user.id);
      return known !== undefined && known.until > clock().getTime() && timingSafeEqual(known.proof, proof);
    },
    add: (user: StoredUser, proof: Buffer): void => {
      proofs.set(user.id, { proof, until: clock().getTime() + CACHE_MS });
    },
  };
};

/**
 * Creates the verification. Concurrent requests from one address with the same email and password share one check,
 * whether or not the email is known, so that the cost reveals nothing about it.
 */
export const createVerifyBasic = ({
  isEnabled,
  users,
  authenticate,
  countRequests,
  clock,
}: VerifyBasicPorts): VerifyBasic => {
  const verified = createVerifiedPasswords(clock);
  const pending = new Map<string, Promise<User>>();

  const check = (login: Login, stored: StoredUser | undefined): Promise<User> => {
    const proof = stored === undefined ? undefined : verified.proofOf(stored, login.password);
    if (stored !== undefined && proof !== undefined && verified.holds(stored, proof)) return Promise.resolve(stored);
    const checkId = verified.checkIdOf(login, stored);
    const shared = pending.get(checkId);
    if (shared !== undefined) return shared;
    const checked = authenticate(login)
      .then((user) => {
        if (stored !== undefined && proof !== undefined) verified.add(stored, proof);
        return user;
      })
      .finally(() => pending.delete(checkId));
    pending.set(checkId, checked);
    return checked;
  };

  return async function verifyBasic({ password, ...from }, count) {
    if (!isEnabled) throw new Unauthorized();
    const login = {
      email: normaliseEmail(from.email.slice(0, 1_000)),
      password,
      address: clientBlock(from.address.slice(0, 1_000)),
    };
    const stored = await users.findByEmail(login.email);
    try {
      const { id, email, role, createdAt, memberships = [] } = await check(login, stored);
      return { user: { id, email, role, createdAt, memberships }, allowance: await countRequests(`user:${id}`, count) };
    } catch (error) {
      // Only sign-in forms report the attempt limit; API callers get the same error for all wrong credentials.
      if (error instanceof ServiceError && (error.kind === 'unauthenticated' || error.kind === 'limited'))
        throw new Unauthorized();
      throw error;
    }
  };
};
