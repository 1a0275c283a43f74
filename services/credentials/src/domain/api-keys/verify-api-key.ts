import { Unauthorized } from '@weft/service-kit/errors';
import type { User, UserStore } from '../users/user';
import type { ApiKeyStore, KeyHolder } from './api-key';
import { isKeyValue, type HashKey } from './key-format';
import type { Allowance, CountRequests } from './rate-window';

/** Verified user, and how many of the requests are within the rate limit. */
export interface CountedUser {
  readonly user: User;
  readonly allowance: Allowance;
}

/**
 * Verifies a key value for `count` requests.
 * @throws Unauthorized, with the same message whatever is wrong with the key.
 */
export type VerifyApiKey = (value: string, count: number) => Promise<CountedUser>;

/** Batches concurrent single calls; an Error entry rejects its caller alone. */
export type Batcher = <Item, Result>(
  flush: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>,
) => (item: Item) => Promise<Result>;

/** Dependencies of the verification. */
export interface VerifyApiKeyPorts {
  readonly createBatcher: Batcher;
  readonly apiKeys: Pick<ApiKeyStore, 'findByHashes' | 'rehash'>;
  readonly users: Pick<UserStore, 'findByIds'>;
  readonly hashKey: HashKey;
  readonly countRequests: CountRequests;
  /** Receives the error of a failed rehash, which does not fail the verification. */
  readonly onRehashFailure: (error: unknown) => void;
}

interface KeyCheck {
  readonly value: string;
  readonly count: number;
}

const sum = (checks: readonly KeyCheck[]): number => checks.reduce((total, { count }) => total + count, 0);

/** Distributes the granted requests, first come first served. */
const share = (checks: readonly KeyCheck[], user: User, all: Allowance): Map<KeyCheck, CountedUser> => {
  let left = all.granted;
  const shares = new Map<KeyCheck, CountedUser>();
  for (const one of checks) {
    const granted = Math.min(one.count, left);
    left -= granted;
    shares.set(one, { user, allowance: { ...all, granted, remaining: all.remaining + left } });
  }
  return shares;
};

const groupByValue = (checks: readonly KeyCheck[]): Map<string, KeyCheck[]> => {
  const groups = new Map<string, KeyCheck[]>();
  for (const one of checks) {
    const group = groups.get(one.value);
    if (group === undefined) groups.set(one.value, [one]);
    else group.push(one);
  }
  return groups;
};

const rehashIfOld = (
  { apiKeys, hashKey, onRehashFailure }: VerifyApiKeyPorts,
  value: string,
  holder: KeyHolder,
): void => {
  const [current] = hashKey(value);
  if (holder.hash !== current.hash) apiKeys.rehash(holder.id, holder.hash, current).catch(onRehashFailure);
};

/** Looks up a batch of keys by one query, then counts the requests of those that exist. */
const verifyBatch = async (ports: VerifyApiKeyPorts, checks: readonly KeyCheck[]): Promise<(CountedUser | Error)[]> => {
  const groups = groupByValue(checks);
  const hashesOf = new Map([...groups.keys()].map((value) => [value, ports.hashKey(value).map(({ hash }) => hash)]));
  const holders = await ports.apiKeys.findByHashes([...hashesOf.values()].flat());
  const users = ports.users.findByIds([...new Set(holders.map(({ userId }) => userId))]);
  const verifyGroup = async ([value, group]: [string, KeyCheck[]]): Promise<Map<KeyCheck, CountedUser>> => {
    const holder = holders.find(({ hash }) => hashesOf.get(value)?.includes(hash));
    if (holder === undefined) return new Map();
    const [all, found] = await Promise.all([ports.countRequests(`key:${holder.id}`, sum(group)), users]);
    const user = found.find(({ id }) => id === holder.userId);
    rehashIfOld(ports, value, holder);
    return user === undefined || user.lockedAt !== undefined ? new Map() : share(group, user, all);
  };
  const outcomes = new Map<KeyCheck, CountedUser | Error>();
  await Promise.all([
    users,
    ...[...groups].map(async (entry) => {
      try {
        for (const [one, counted] of await verifyGroup(entry)) outcomes.set(one, counted);
      } catch (error) {
        for (const one of entry[1])
          outcomes.set(one, error instanceof Error ? error : new Error('Verification failed.', { cause: error }));
      }
    }),
  ]);
  return checks.map((one) => outcomes.get(one) ?? new Unauthorized());
};

/**
 * Verifies keys; concurrent calls share their queries, whatever their keys. Nothing is cached, so a deleted key fails
 * on the very next call.
 */
export const createVerifyApiKey = (ports: VerifyApiKeyPorts): VerifyApiKey => {
  const verify = ports.createBatcher<KeyCheck, CountedUser>((checks) => verifyBatch(ports, checks));
  return async function verifyApiKey(value, count) {
    if (!isKeyValue(value)) throw new Unauthorized();
    return verify({ value, count });
  };
};
