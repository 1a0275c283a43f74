/** An idempotency key that a caller has used, with the outcome of its request. */
export interface KeyRecord {
  /** Digest of caller, method and key. */
  readonly id: string;
  readonly ownerId: string;
  /** Keyed digest of the request. */
  readonly requestHash: string;
  /** Id of the object that the request creates, whichever attempt succeeds. */
  readonly createdId: string;
  /** Until then, an attempt without an end counts as running. */
  readonly leaseUntil: Date;
  readonly expireAt: Date;
  /** True once the request has succeeded. */
  readonly isDone: boolean;
  /** The encoded response; absent if it is not stored. */
  readonly response?: Uint8Array;
}

/** Store of keys. Every method throws Unavailable if the database cannot be reached. */
export interface KeyRecordStore {
  /** False if a record with this id exists. */
  readonly insert: (record: KeyRecord) => Promise<boolean>;
  readonly find: (id: string) => Promise<KeyRecord | undefined>;
  /** Number of keys of a caller, counted up to a limit. */
  readonly countOf: (ownerId: string, limit: number) => Promise<number>;
  /** Begins another attempt. False if the lease is not the expected one any more. */
  readonly takeOver: (id: string, expected: Date, leaseUntil: Date) => Promise<boolean>;
  readonly finish: (id: string, response: Uint8Array | undefined) => Promise<void>;
  /** Ends an attempt whose outcome is unknown: the next one may begin at once. */
  readonly release: (id: string, expected: Date) => Promise<void>;
  /** Forgets a key whose request was refused, or that has expired. */
  readonly remove: (id: string, expected: Date) => Promise<void>;
}
