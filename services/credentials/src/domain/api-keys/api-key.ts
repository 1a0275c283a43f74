/** A key without its value. */
export interface ApiKey {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly createdAt: Date;
}

/** A key as it is stored: what the value hashes to, never the value. */
export interface StoredApiKey extends ApiKey {
  readonly hash: string;
  /** Master key whose pepper the hash was made with. */
  readonly kid: string;
  /** Which of the user's places the key takes: two keys of a user never have the same one. */
  readonly slot: number;
}

/** What a verification needs of a key. */
export interface KeyHolder {
  readonly id: string;
  readonly userId: string;
  readonly hash: string;
}

/** Where keys are kept. */
export interface ApiKeyStore {
  /** @returns false if the user has a key in that slot already. */
  readonly insert: (key: StoredApiKey) => Promise<boolean>;
  /** Newest first; a user has few enough for one page. */
  readonly listOf: (userId: string) => Promise<readonly ApiKey[]>;
  /** Slots that the user's keys take. */
  readonly slotsOf: (userId: string) => Promise<readonly number[]>;
  /** @returns whether that user had that key. */
  readonly remove: (id: string, userId: string) => Promise<boolean>;
  readonly findByHashes: (hashes: readonly string[]) => Promise<readonly KeyHolder[]>;
  /** Notes the hash that the current master key gives. */
  readonly rehash: (id: string, from: string, to: KeyHash) => Promise<void>;
  /** How many keys are hashed under that master key. */
  readonly countByKid: (kid: string) => Promise<number>;
  /** Keeps the one key that comes from the environment: made, or replaced if its hash is none of `known`. */
  readonly putEnvironmentKey: (key: Omit<StoredApiKey, 'slot'>, known: readonly string[]) => Promise<void>;
}

/** What a key value hashes to. */
export interface KeyHash {
  readonly hash: string;
  readonly kid: string;
}
