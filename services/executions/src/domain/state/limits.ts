import { LIMITS } from '@weft/service-kit/limits';

/**
 * Bytes up to which input, engine state or an answer lie in the document of an execution; above, in chunks. Node runs
 * up to as many bytes lie there too; when there are more, all of them move to the log.
 */
export const INLINE_BYTES = 65_536;

/** Bytes of records, before compression, after which a segment of the log is full. */
export const SEGMENT_BYTES = 256 * 1024;

/** Bytes of packed records, before compression, from which on they move to the log as they are. */
export const KEPT_BYTES = 64 * 1024;

/** Bytes of the records that a runner packs, before compression. */
export const MAX_PACKED_BYTES = 2 * 1024 * 1024;

/** Bytes of a record that still lies in a segment; a larger one is a chunk of its own. */
export const SEGMENT_RECORD_BYTES = 1024 * 1024;

/** Bytes of one chunk document. */
export const CHUNK_BYTES = 4 * 1024 * 1024;

/** Node runs one execution may store. */
export const MAX_NODE_RUNS = LIMITS.nodeRuns.max;

/** Bytes of node runs one execution may store, before compression. */
export const MAX_RUN_BYTES = LIMITS.runData.max;

/** Bytes of one chunk upload: the largest output of one node. */
export const MAX_UPLOAD_BYTES = LIMITS.nodeOutput.max;

/** Bytes that the runners of one execution may upload in all. */
export const MAX_UPLOADED_BYTES = LIMITS.uploads.max;

/** Bytes of a child's result that a parent is given at once; below the size of a gRPC message. */
export const MAX_RESULT_BYTES = 12 * 1024 * 1024;

/** Bytes of what wakes a waiting execution: it lies in the document. */
export const MAX_RESUME_BYTES = LIMITS.resumeInput.max;

/** Bytes of inputs, states and definitions of one claim; executions beyond go back into the queue. */
export const MAX_CLAIM_BYTES = 12 * 1024 * 1024;

/** Ids or entries of one runner call. */
export const MAX_ENTRIES = 500;

/** Milliseconds for which a runner may defer the next claim of a run that it returns. */
export const MAX_RELEASE_DELAY_MS = 60_000;

/** Ids of one claim. */
export const MAX_CLAIM_IDS = 200;

/** Starts of one call. */
export const MAX_STARTS = 500;

/** Number of times runners may die over an execution without progress before it is given up. */
export const MAX_CRASHES = 3;

/** Maximum depth of calls of sub-workflows by sub-workflows. */
export const MAX_CALL_DEPTH = 32;

/** Length of an idempotency key. */
export const MAX_KEY_LENGTH = 255;

/** Calls of one replica that may wait for an answer at once. */
export const MAX_WAITERS = 2_000;

/**
 * Bytes of run data, and of the files that it names, that a retry may take over from the execution that it runs again.
 */
export const MAX_RETRY_BYTES = 128 * 1024 * 1024;

/** Length of an evaluated concurrency key. */
export const MAX_CONCURRENCY_KEY_LENGTH = 200;

/**
 * Executions that one replica runs before they are stored; further ones are stored first. Their inputs have
 * `INLINE_BYTES` at most, so this bounds the memory that they take as well.
 */
export const MAX_EAGER_RUNS = 300;

/** Milliseconds of the first lease of a run that began before it was stored. */
export const EAGER_LEASE_MS = 3_000;

/** Milliseconds of the lease of a claim on an execution that is not stored yet: its runner may die unnoticed. */
export const eagerLeaseMs = (leaseMs: number): number => Math.min(leaseMs, EAGER_LEASE_MS);

/** Executions that one claim of offers takes, and milliseconds for which it waits for them. */
export const MAX_OFFERED = 64;
export const MAX_OFFER_WAIT_MS = 2_000;

/** Claims that wait for offers of one replica; further ones are answered without waiting. */
export const MAX_WAITING_CLAIMS = 1_000;

/** Claims whose share of what was offered is known, in case their answer is lost: each has at most MAX_OFFERED ids. */
export const MAX_KEPT_CLAIMS = 1_000;
