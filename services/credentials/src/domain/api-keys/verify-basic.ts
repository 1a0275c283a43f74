import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createBoundedCache } from '@weft/service-kit/caching';
import { ServiceError, Unauthorized } from '@weft/service-kit/errors';
import type { Authenticate } from '../users/authenticate';
import { normaliseEmail } from '../users/email';
import type { StoredUser, User, UserStore } from '../users/user';
import type { CountRequests } from './rate-window';
import type { CountedUser } from './verify-api-key';

/**
 * Verifies an email and a password for `count` requests.
 * @throws Unauthorized, with the text of a wrong key, for whatever is wrong; Unavailable
 */
export type VerifyBasic = (username: string, password: string, count: number) => Promise<CountedUser>;

/** What a verification needs. */
export interface VerifyBasicPorts {
  /** False: every attempt is refused. */
  readonly isEnabled: boolean;
  readonly users: Pick<UserStore, 'findByEmail'>;
  readonly authenticate: Authenticate;
  readonly countRequests: CountRequests;
  readonly clock: () => Date;
}

/** A password that was right a moment ago. */
interface Remembered {
  readonly proof: Buffer;
  readonly until: number;
}

const REMEMBERED_MS = 60_000;
const MAX_REMEMBERED = 1_000;

/**
 * Passwords that were right within the last minute, as hashes under a key that this process alone has. Each is bound
 * to what the store holds of the password now, so a changed password ends it at once.
 */
const createMemory = (clock: () => Date) => {
  const key = randomBytes(32);
  const proofs = createBoundedCache<string, Remembered>({ maxEntries: MAX_REMEMBERED });
  const proofOf = (user: StoredUser, password: string): Buffer =>
    createHmac('sha256', key).update(`${user.id} ${user.passwordHash} ${password}`).digest();
  return {
    proofOf,
    holds: (user: StoredUser, proof: Buffer): boolean => {
      const known = proofs.get(user.id);
      return known !== undefined && known.until > clock().getTime() && timingSafeEqual(known.proof, proof);
    },
    add: (user: StoredUser, proof: Buffer): void => {
      proofs.set(user.id, { proof, until: clock().getTime() + REMEMBERED_MS });
    },
  };
};

/** Makes the verification. Requests with one password that come together have it checked once. */
export const createVerifyBasic = ({
  isEnabled,
  users,
  authenticate,
  countRequests,
  clock,
}: VerifyBasicPorts): VerifyBasic => {
  const memory = createMemory(clock);
  const underWay = new Map<string, Promise<User>>();

  const check = (username: string, password: string, stored: StoredUser | undefined): Promise<User> => {
    const login = { email: username, password, address: '' };
    if (stored === undefined) return authenticate(login);
    const proof = memory.proofOf(stored, password);
    if (memory.holds(stored, proof)) return Promise.resolve(stored);
    const key = proof.toString('base64');
    const shared = underWay.get(key);
    if (shared !== undefined) return shared;
    const checked = authenticate(login)
      .then((user) => {
        memory.add(stored, proof);
        return user;
      })
      .finally(() => underWay.delete(key));
    underWay.set(key, checked);
    return checked;
  };

  return async (username, password, count) => {
    if (!isEnabled) throw new Unauthorized();
    const stored = await users.findByEmail(normaliseEmail(username.slice(0, 1_000)));
    try {
      const { id, email, role, createdAt } = await check(username, password, stored);
      return { user: { id, email, role, createdAt }, allowance: await countRequests(`user:${id}`, count) };
    } catch (error) {
      // A limit on guesses is told to people who sign in; a program gets the one answer for every wrong proof.
      if (error instanceof ServiceError && (error.kind === 'unauthenticated' || error.kind === 'limited'))
        throw new Unauthorized();
      throw error;
    }
  };
};
