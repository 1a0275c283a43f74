import type { Scope } from '@weft/service-kit/auth';

/** An API key without its value. */
export interface ApiKey {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly createdAt: Date;
  /** From then on it is refused like a deleted one; absent: it does not expire. */
  readonly expiresAt?: Date;
  /** What it is limited to, at least one; absent: all that the role of its user permits. */
  readonly scopes?: readonly Scope[];
  /** To about a minute; absent: not used yet. */
  readonly lastUsedAt?: Date;
}

/** Hash of a key value. */
export interface KeyHash {
  readonly hash: string;
  /** Master key whose pepper the hash was made with. */
  readonly kid: string;
}

/** A key as it is stored: with the hash of its value, never the value. */
export interface StoredApiKey extends ApiKey, KeyHash {
  /** Number below the limit of keys per user; unique among the user's keys, which enforces the limit. */
  readonly slot: number;
}

/** The key given by the environment, which is never limited. */
export type EnvironmentKey = Omit<StoredApiKey, 'slot' | 'expiresAt' | 'scopes' | 'lastUsedAt'>;

/** The fields of a key that its verification reads. */
export interface KeyHolder {
  readonly id: string;
  readonly userId: string;
  readonly hash: string;
  readonly expiresAt?: Date;
  readonly scopes?: readonly Scope[];
  readonly lastUsedAt?: Date;
}

/** True from the moment on from which a key is refused. */
export const hasExpired = ({ expiresAt }: Pick<ApiKey, 'expiresAt'>, now: Date): boolean =>
  expiresAt !== undefined && expiresAt <= now;

/** Store of API keys. */
export interface ApiKeyStore {
  /** @returns false if the user has a key in that slot already. */
  readonly insert: (key: StoredApiKey) => Promise<boolean>;
  /** Newest first; a user has few enough for one page. */
  readonly listOf: (userId: string) => Promise<readonly ApiKey[]>;
  /** Slots that the user's keys take. */
  readonly slotsOf: (userId: string) => Promise<readonly number[]>;
  /** @returns whether that user had that key. */
  readonly remove: (id: string, userId: string) => Promise<boolean>;
  readonly removeOf: (userId: string) => Promise<void>;
  readonly findByHashes: (hashes: readonly string[]) => Promise<readonly KeyHolder[]>;
  /** Replaces the hash by the one under the current master key. */
  readonly rehash: (id: string, from: string, to: KeyHash) => Promise<void>;
  /** Sets the time of last use of keys for which it is unset or before `unlessAfter`. */
  readonly setLastUsed: (ids: readonly string[], at: Date, unlessAfter: Date) => Promise<void>;
  /** Number of keys that are hashed under that master key. */
  readonly countByKid: (kid: string) => Promise<number>;
  /** Stores the one key given by the environment, replacing a previous one whose hash is not among `known`. */
  readonly putEnvironmentKey: (key: EnvironmentKey, known: readonly string[]) => Promise<void>;
}
