import { createHash } from 'node:crypto';
import { createBoundedCache } from '../caching';
import { ServiceError } from '../errors';

/** Too many wrong keys from one part of the network. */
export class TooManyWrongKeys extends ServiceError {
  constructor() {
    super({
      reason: 'TOO_MANY_SIGN_INS',
      kind: 'limited',
      message: 'Too many wrong keys from your address. Try again in 1 s.',
      retryAfterSeconds: 1,
    });
  }
}

/**
 * Limits wrong keys, and what their checks cost, by client block. Keys that were right before are checked without a
 * limit, and an unknown one of a limited client now and then, so that wrong keys lock no other caller out.
 */
export interface FailureLimit {
  /**
   * Checks a key.
   * @param client its block; empty: unknown, and not limited
   * @throws TooManyWrongKeys; errors of the check, of which those of kind `unauthenticated` count
   */
  readonly check: <Result>(client: string, key: string, verify: () => Promise<Result>) => Promise<Result>;
}

interface Client {
  failures: number;
  endsAt: number;
  /** Time at which another unknown key is checked, if there were too many failures. */
  nextAt: number;
}

/** Wrong keys of one client in a minute. Many people may share an address. */
export const MAX_FAILURES = 100;

/** Different unknown keys of one client that are checked at once. */
const MAX_PENDING = 1_000;

const WINDOW_MS = 60_000;

/** Milliseconds between two checks for a limited client. */
const PACE_MS = 500;

const MAX_CLIENTS = 10_000;
const MAX_KNOWN = 10_000;

const isWrong = (error: unknown): boolean => error instanceof ServiceError && error.kind === 'unauthenticated';

/** Creates a limit for this process. @param now for tests, in milliseconds */
export const createFailureLimit = (now: () => number = () => performance.now()): FailureLimit => {
  const clients = createBoundedCache<string, Client>({ maxEntries: MAX_CLIENTS });
  /** Hashes of keys that were right at their last check. They bypass the limit, and are checked like all others. */
  const known = createBoundedCache<string, true>({ maxEntries: MAX_KNOWN });
  /** Numbers of checks in progress, by client and hash. */
  const pending = new Map<string, Map<string, number>>();
  const open = (client: string): Client => {
    const found = clients.get(client);
    if (found !== undefined && found.endsAt > now()) return found;
    const opened = { failures: 0, endsAt: now() + WINDOW_MS, nextAt: 0 };
    clients.set(client, opened);
    return opened;
  };
  const admit = (client: string, hash: string): void => {
    const checks = pending.get(client);
    if (known.get(hash) !== undefined || checks?.has(hash) === true) return;
    const window = clients.get(client);
    const isLimited = window !== undefined && window.endsAt > now() && window.failures >= MAX_FAILURES;
    if (!isLimited && (checks?.size ?? 0) < MAX_PENDING) return;
    const counted = window ?? open(client);
    if (counted.nextAt > now()) throw new TooManyWrongKeys();
    counted.nextAt = now() + PACE_MS;
  };
  const leave = (client: string, hash: string): void => {
    const checks = pending.get(client);
    const left = (checks?.get(hash) ?? 1) - 1;
    if (left > 0) checks?.set(hash, left);
    else checks?.delete(hash);
    if (checks?.size === 0) pending.delete(client);
  };
  return {
    check: async (client, key, verify) => {
      if (client === '') return verify();
      const hash = createHash('sha256').update(key).digest('base64');
      admit(client, hash);
      const checks = pending.get(client) ?? new Map<string, number>();
      pending.set(client, checks.set(hash, (checks.get(hash) ?? 0) + 1));
      try {
        const result = await verify();
        known.set(hash, true);
        return result;
      } catch (error) {
        if (isWrong(error)) {
          known.delete(hash);
          // Calls with the same key share a check.
          if (checks.get(hash) === 1) open(client).failures += 1;
        }
        throw error;
      } finally {
        leave(client, hash);
      }
    },
  };
};
