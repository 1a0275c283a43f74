import type { Scope } from '@weft/service-kit/auth';

/** An API key without its value. */
export interface ApiKey {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly createdAt: Date;
  /** After this time it is refused like a deleted key; absent: it does not expire. */
  readonly expiresAt?: Date;
  /** Its scopes, at least one; absent: everything the role of its user permits. */
  readonly scopes?: readonly Scope[];
  /** Accurate to about a minute; absent: never used. */
  readonly lastUsedAt?: Date;
}

/** Hash of a key value. */
export interface KeyHash {
  readonly hash: string;
  /** Id of the master key whose pepper was used for the hash. */
  readonly kid: string;
}

/** A stored key, with the hash of its value instead of the value. */
export interface StoredApiKey extends ApiKey, KeyHash {
  /** Number below the maximum number of keys per user. Unique among the user's keys, which enforces the maximum. */
  readonly slot: number;
}

/** The key set by the environment, which is never limited. */
export type EnvironmentKey = Omit<StoredApiKey, 'slot' | 'expiresAt' | 'scopes' | 'lastUsedAt'>;

/** The fields of a key needed to verify it. */
export interface KeyHolder {
  readonly id: string;
  readonly userId: string;
  readonly hash: string;
  readonly expiresAt?: Date;
  readonly scopes?: readonly Scope[];
  readonly lastUsedAt?: Date;
}

/** True if the key has expired. */
export const hasExpired = ({ expiresAt }: Pick<ApiKey, 'expiresAt'>, now: Date): boolean =>
  expiresAt !== undefined && expiresAt <= now;

/** Store of API keys. */
export interface ApiKeyStore {
  /** @returns false if the user already has a key in that slot */
  readonly insert: (key: StoredApiKey) => Promise<boolean>;
  /** Newest first. A user has few enough keys for one page. */
  readonly listOf: (userId: string) => Promise<readonly ApiKey[]>;
  /** A key of a user; undefined if that user has no such key. */
  readonly find: (id: string, userId: string) => Promise<ApiKey | undefined>;
  /** Slots used by the user's keys. */
  readonly slotsOf: (userId: string) => Promise<readonly number[]>;
  /** @returns whether that user had that key */
  readonly remove: (id: string, userId: string) => Promise<boolean>;
  readonly removeOf: (userId: string) => Promise<void>;
  readonly findByHashes: (hashes: readonly string[]) => Promise<readonly KeyHolder[]>;
  /** Replaces the hash with one under the current master key. */
  readonly rehash: (id: string, from: string, to: KeyHash) => Promise<void>;
  /** Sets the time of last use of keys for which it is unset or before `unlessAfter`. */
  readonly setLastUsed: (ids: readonly string[], at: Date, unlessAfter: Date) => Promise<void>;
  /** Number of keys hashed under that master key. */
  readonly countByKid: (kid: string) => Promise<number>;
  /** Stores the single key set by the environment, replacing a previous one whose hash is not among `known`. */
  readonly putEnvironmentKey: (key: EnvironmentKey, known: readonly string[]) => Promise<void>;
}
