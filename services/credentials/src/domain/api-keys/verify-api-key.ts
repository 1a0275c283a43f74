import { Unauthorized } from '@weft/service-kit/errors';
import type { User, UserStore } from '../users/user';
import type { ApiKeyStore, KeyHolder } from './api-key';
import { isKeyValue, type HashKey } from './key-format';
import type { Allowance, CountRequests } from './rate-window';

/** Who a proof belongs to, and how many of its requests are within the limit. */
export interface CountedUser {
  readonly user: User;
  readonly allowance: Allowance;
}

/**
 * Verifies a key value for `count` requests.
 * @throws Unauthorized, with one text for whatever is wrong with the key.
 */
export type VerifyApiKey = (value: string, count: number) => Promise<CountedUser>;

/** Turns single calls into batches of those that come together; an Error entry rejects its caller alone. */
export type Batcher = <Item, Result>(
  flush: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>,
) => (item: Item) => Promise<Result>;

/** What a verification needs. */
export interface VerifyApiKeyPorts {
  readonly createBatcher: Batcher;
  readonly apiKeys: Pick<ApiKeyStore, 'findByHashes' | 'rehash'>;
  readonly users: Pick<UserStore, 'findByIds'>;
  readonly hashKey: HashKey;
  readonly countRequests: CountRequests;
  /** Told of a failed update that the answer does not depend on. */
  readonly onRehashFailure: (error: unknown) => void;
}

interface Asked {
  readonly value: string;
  readonly count: number;
}

const sum = (asked: readonly Asked[]): number => asked.reduce((total, { count }) => total + count, 0);

/** Hands out what was granted to all, first come first served. */
const share = (asked: readonly Asked[], user: User, all: Allowance): Map<Asked, CountedUser> => {
  let left = all.granted;
  const shares = new Map<Asked, CountedUser>();
  for (const one of asked) {
    const granted = Math.min(one.count, left);
    left -= granted;
    shares.set(one, { user, allowance: { ...all, granted, remaining: all.remaining + left } });
  }
  return shares;
};

const groupByValue = (asked: readonly Asked[]): Map<string, Asked[]> => {
  const groups = new Map<string, Asked[]>();
  for (const one of asked) {
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

/** One look-up for a batch of keys, then the windows of those that exist. */
const verifyBatch = async (ports: VerifyApiKeyPorts, asked: readonly Asked[]): Promise<(CountedUser | Error)[]> => {
  const groups = groupByValue(asked);
  const hashesOf = new Map([...groups.keys()].map((value) => [value, ports.hashKey(value).map(({ hash }) => hash)]));
  const holders = await ports.apiKeys.findByHashes([...hashesOf.values()].flat());
  const users = ports.users.findByIds([...new Set(holders.map(({ userId }) => userId))]);
  const verifyGroup = async ([value, group]: [string, Asked[]]): Promise<Map<Asked, CountedUser>> => {
    const holder = holders.find(({ hash }) => hashesOf.get(value)?.includes(hash));
    if (holder === undefined) return new Map();
    const [all, found] = await Promise.all([ports.countRequests(`key:${holder.id}`, sum(group)), users]);
    const user = found.find(({ id }) => id === holder.userId);
    rehashIfOld(ports, value, holder);
    return user === undefined ? new Map() : share(group, user, all);
  };
  const outcomes = new Map<Asked, CountedUser | Error>();
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
  return asked.map((one) => outcomes.get(one) ?? new Unauthorized());
};

/**
 * Verifies keys; calls that come together share their look-ups, whatever their keys. Nothing is answered from an
 * earlier look, so a deleted key fails on the very next call.
 */
export const createVerifyApiKey = (ports: VerifyApiKeyPorts): VerifyApiKey => {
  const verify = ports.createBatcher<Asked, CountedUser>((asked) => verifyBatch(ports, asked));
  return async (value, count) => {
    if (!isKeyValue(value)) throw new Unauthorized();
    return verify({ value, count });
  };
};
