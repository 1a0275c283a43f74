import type { Json, JsonLimits } from '@weft/service-kit/json';
import type { ExecutionRecord, HeldExecution } from './execution';
import type { Snapshot, WriteOutcome } from './write-outcome';
import type { Write } from './write';

/** The time, in milliseconds of the epoch. A test gives its own. */
export type Clock = () => number;

/** Outcome of a write. */
export interface Outcome {
  readonly outcome: WriteOutcome;
  /** The document as it was found if it did not match. */
  readonly found?: Snapshot;
  /** The document as the write left it, where that is known and a caller may wait for it. */
  readonly record?: ExecutionRecord;
}

/**
 * Outcome of an insert: it is in, or its dedupe key or its id belongs to another one. The same start under the same
 * id is in, whether it was this insert or one before.
 */
export type InsertOutcome =
  | { readonly kind: 'inserted'; readonly isRepeated?: true }
  | { readonly kind: 'known'; readonly executionId: string; readonly requestHash: string }
  | { readonly kind: 'id-taken' }
  /** An execution that has not ended has its exclusive key. */
  | { readonly kind: 'overlaps'; readonly executionId: string };

/** Applies one compare-and-set; writes that arrive together go out together. @throws Unavailable */
export type ApplyWrite = (executionId: string, write: Write) => Promise<Outcome>;

/** Inserts an execution; inserts that arrive together go out together. @throws Unavailable */
export type InsertExecution = (record: ExecutionRecord) => Promise<InsertOutcome>;

/** A claim as the store carries it out. */
export interface ClaimWrites {
  readonly claimId: string;
  readonly attempt: number;
  readonly take: Write;
  /** The same for executions that are not stored yet. Absent: they are stored first. */
  readonly takeEager?: Write;
  /** The write by which a repetition takes over what an earlier sending of the claim has won. */
  readonly renew: Write;
}

/** Claims what is free of the ids; answers all of them that this sending of the claim holds. @throws Unavailable */
export type ClaimExecutions = (ids: readonly string[], claim: ClaimWrites) => Promise<readonly ExecutionRecord[]>;

/**
 * A queued execution that a claim does not get. `alone`: it must be claimed alone; `unreadable`: its state has a
 * version that the runner does not know.
 */
export interface HeldBack {
  readonly id: string;
  readonly why: 'alone' | 'unreadable';
}

/** Finds which of the ids a claim with these versions of the engine state does not get. @throws Unavailable */
export type FindHeldBack = (
  ids: readonly string[],
  engineStateVersions: readonly number[],
) => Promise<readonly HeldBack[]>;

/** Reads one execution; undefined if there is none. Reads that arrive together go out together. @throws Unavailable */
export type ReadExecution = (executionId: string) => Promise<ExecutionRecord | undefined>;

/** The same without its run data, input and answers: what it costs does not grow with the run. @throws Unavailable */
export type ReadHeld = (executionId: string) => Promise<HeldExecution | undefined>;

/** Where an execution is announced. */
export interface PublishOptions {
  /**
   * It waits while enough others of this owner are before the runners. Absent, as when a run continues that has begun:
   * it goes out at once.
   */
  readonly ownerId?: string;
  /** A runner died over it: it goes out at once, to the processes where nothing runs beside it. */
  readonly runsAlone?: boolean;
}

/**
 * Publishes to runners that an execution is queued; never fails. `dedupeId` distinguishes this publication from every
 * other one of the execution: the generation, or a word of its own. The broker drops a repeated one.
 */
export type Publish = (executionId: string, dedupeId: string, options?: PublishOptions) => void;

/** Owner of JSON that is read. */
export interface JsonOwner {
  readonly ownerId: string;
  /** Empty if it is of no workflow. */
  readonly workflowId: string;
}

/**
 * Parses JSON that came from outside, a long one when its owner is due to have the thread. `use` gets the value.
 * @throws PAYLOAD_TOO_LARGE and other refusals of JSON; Unsent
 */
export type ReadJson = <Result>(
  bytes: Buffer,
  owner: JsonOwner,
  limits: JsonLimits,
  use: (value: Json) => Result,
) => Promise<Result>;

/** Warns operators of something that no caller needs to know. */
export type Warn = (facts: Readonly<Record<string, unknown>>, text: string) => void;
