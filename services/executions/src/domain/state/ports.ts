import type { Json, JsonLimits } from '@weft/service-kit/json';
import type { ExecutionRecord, HeldExecution } from './execution';
import type { Snapshot, WriteOutcome } from './write-outcome';
import type { Write } from './write';

/** The time, in milliseconds since the epoch. Tests replace it. */
export type Clock = () => number;

/** Outcome of a write. */
export interface Outcome {
  readonly outcome: WriteOutcome;
  /** The document as it was found if it did not match. */
  readonly found?: Snapshot;
  /** The document after the write, if it is known and a caller may wait for it. */
  readonly record?: ExecutionRecord;
}

/**
 * Outcome of an insert: it was inserted, or its dedupe key or id belongs to another execution. A repeated start under
 * the same id counts as inserted, whichever attempt did so.
 */
export type InsertOutcome =
  | { readonly kind: 'inserted'; readonly isRepeated?: true }
  | { readonly kind: 'known'; readonly executionId: string; readonly requestHash: string }
  | { readonly kind: 'id-taken' }
  /** An execution that has not ended has its mutex key. */
  | { readonly kind: 'overlaps'; readonly executionId: string };

/** Applies one compare-and-set; batches concurrent writes. @throws Unavailable */
export type ApplyWrite = (executionId: string, write: Write) => Promise<Outcome>;

/** Inserts an execution; batches concurrent inserts. @throws Unavailable */
export type InsertExecution = (record: ExecutionRecord) => Promise<InsertOutcome>;

/** A claim as the store carries it out. */
export interface ClaimWrites {
  readonly claimId: string;
  readonly attempt: number;
  readonly take: Write;
  /** The same for executions that are not stored yet. Absent: they are stored first. */
  readonly takeInline?: Write;
  /** The write by which a repetition takes over what an earlier attempt of the claim holds. */
  readonly renew: Write;
}

/** Claims the free ids; returns all that this attempt of the claim holds. @throws Unavailable */
export type ClaimExecutions = (ids: readonly string[], claim: ClaimWrites) => Promise<readonly ExecutionRecord[]>;

/**
 * A queued execution that a claim does not get. `isolated`: it must be claimed in isolation; `unreadable`: the runner
 * does not know the version of its state.
 */
export interface HeldBack {
  readonly id: string;
  readonly why: 'isolated' | 'unreadable';
}

/** Finds the ids that a claim with these versions of the engine state does not get. @throws Unavailable */
export type FindHeldBack = (
  ids: readonly string[],
  engineStateVersions: readonly number[],
) => Promise<readonly HeldBack[]>;

/** Reads one execution; undefined if there is none. Batches concurrent reads. @throws Unavailable */
export type ReadExecution = (executionId: string) => Promise<ExecutionRecord | undefined>;

/** The same without its run data, input and responses: the cost does not grow with the run. @throws Unavailable */
export type ReadHeld = (executionId: string) => Promise<HeldExecution | undefined>;

/** Where an execution is announced. */
export interface PublishOptions {
  /**
   * It waits while enough other executions of this owner are announced. Absent for a run that continues: it is
   * announced at once.
   */
  readonly ownerId?: string;
  /** It crashed a runner: it is announced at once, for isolation. */
  readonly isIsolated?: boolean;
}

/**
 * Announces a queued execution to runners; never fails. `dedupeId` distinguishes the publications of an execution: the
 * generation, or a specific word. The broker drops repeated ones.
 */
export type Publish = (executionId: string, dedupeId: string, options?: PublishOptions) => void;

/** Owner of parsed JSON. */
export interface JsonOwner {
  readonly ownerId: string;
  /** Empty without a workflow. */
  readonly workflowId: string;
}

/**
 * Parses external JSON; schedules long JSON fairly among owners. `use` receives the value.
 * @throws PAYLOAD_TOO_LARGE and other refusals of JSON; Unsent
 */
export type ReadJson = <Result>(
  bytes: Buffer,
  owner: JsonOwner,
  limits: JsonLimits,
  use: (value: Json) => Result,
) => Promise<Result>;

/** Logs a warning that only operators need. */
export type Warn = (facts: Readonly<Record<string, unknown>>, text: string) => void;
