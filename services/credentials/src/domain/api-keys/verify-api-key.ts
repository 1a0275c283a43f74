import type { Scope } from '@weft/service-kit/auth';
import { Unauthorized } from '@weft/service-kit/errors';
import type { User, UserStore } from '../ownership/user';
import { hasExpired, type ApiKeyStore, type KeyHolder } from './api-key';
import { isKeyValue, type HashKey } from './key-format';
import type { NoteUse } from './note-use';
import type { Allowance, CountRequests } from './rate-window';

/** Verified user, and how many of the requests are within the rate limit. */
export interface CountedUser {
  readonly user: User;
  readonly allowance: Allowance;
  /** Scopes of the key; absent: everything the role permits. */
  readonly scopes?: readonly Scope[];
  /** Absent after a verification by password. */
  readonly apiKeyId?: string;
}

/**
 * Verifies a key value for `count` requests.
 * @throws Unauthorized, with the same message whatever is wrong with the key
 */
export type VerifyApiKey = (value: string, count: number) => Promise<CountedUser>;

/** Batches concurrent single calls; an Error entry rejects only its caller. */
export type Batcher = <Item, Result>(
  flush: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>,
) => (item: Item) => Promise<Result>;

export interface VerifyApiKeyPorts {
  readonly createBatcher: Batcher;
  readonly apiKeys: Pick<ApiKeyStore, 'findByHashes' | 'rehash'>;
  readonly users: Pick<UserStore, 'findByIds'>;
  readonly hashKey: HashKey;
  readonly countRequests: CountRequests;
  readonly noteUse: NoteUse;
  readonly clock: () => Date;
  /** Called with the error of a failed rehash, which does not fail the verification. */
  readonly onRehashFailure: (error: unknown) => void;
}

interface KeyCheck {
  readonly value: string;
  readonly count: number;
}

const sum = (checks: readonly KeyCheck[]): number => checks.reduce((total, { count }) => total + count, 0);

/** Distributes the granted requests, first come first served. */
const share = (
  checks: readonly KeyCheck[],
  user: User,
  { id: apiKeyId, scopes }: KeyHolder,
  all: Allowance,
): Map<KeyCheck, CountedUser> => {
  let left = all.granted;
  const shares = new Map<KeyCheck, CountedUser>();
  for (const one of checks) {
    const granted = Math.min(one.count, left);
    left -= granted;
    shares.set(one, {
      user,
      apiKeyId,
      allowance: { ...all, granted, remaining: all.remaining + left },
      ...(scopes === undefined ? {} : { scopes }),
    });
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

/** Looks up a batch of keys with one query, then counts the requests of the existing ones. */
const verifyBatch = async (ports: VerifyApiKeyPorts, checks: readonly KeyCheck[]): Promise<(CountedUser | Error)[]> => {
  const groups = groupByValue(checks);
  const hashesOf = new Map([...groups.keys()].map((value) => [value, ports.hashKey(value).map(({ hash }) => hash)]));
  const found = await ports.apiKeys.findByHashes([...hashesOf.values()].flat());
  const now = ports.clock();
  const holders = found.filter((holder) => !hasExpired(holder, now));
  const users = ports.users.findByIds([...new Set(holders.map(({ userId }) => userId))]);
  const verifyGroup = async ([value, group]: [string, KeyCheck[]]): Promise<Map<KeyCheck, CountedUser>> => {
    const holder = holders.find(({ hash }) => hashesOf.get(value)?.includes(hash));
    if (holder === undefined) return new Map();
    const [all, active] = await Promise.all([ports.countRequests(`key:${holder.id}`, sum(group)), users]);
    const user = active.find(({ id }) => id === holder.userId);
    rehashIfOld(ports, value, holder);
    if (user === undefined || user.lockedAt !== undefined) return new Map();
    ports.noteUse(holder);
    return share(group, user, holder, all);
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
 * Verifies keys. Concurrent calls share queries, whatever their keys. Nothing is cached, so a deleted or expired key
 * fails on the next call.
 */
export const createVerifyApiKey = (ports: VerifyApiKeyPorts): VerifyApiKey => {
  const verify = ports.createBatcher<KeyCheck, CountedUser>((checks) => verifyBatch(ports, checks));
  return async function verifyApiKey(value, count) {
    if (!isKeyValue(value)) throw new Unauthorized();
    return verify({ value, count });
  };
};
