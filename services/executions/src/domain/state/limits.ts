import { LIMITS } from '@weft/service-kit/limits';

/**
 * Bytes up to which input, engine state or a response are stored in the document of an execution; above, in chunks.
 * Node runs up to this size are stored there too; above it, all of them move to the log.
 */
export const INLINE_BYTES = 65_536;

/** Bytes of records, before compression, after which a segment of the log is full. */
export const SEGMENT_BYTES = 256 * 1024;

/** Bytes of packed records, before compression, from which they move to the log unchanged. */
export const KEPT_BYTES = 64 * 1024;

/** Maximum bytes of packed records from a runner, before compression. */
export const MAX_PACKED_BYTES = 2 * 1024 * 1024;

/** Maximum bytes of a record in a segment; a larger one is a separate chunk. */
export const SEGMENT_RECORD_BYTES = 1024 * 1024;

/** Bytes of one chunk document. */
export const CHUNK_BYTES = 4 * 1024 * 1024;

/** Maximum node runs of one execution. */
export const MAX_NODE_RUNS = LIMITS.nodeRuns.max;

/** Maximum bytes of node runs of one execution, before compression. */
export const MAX_RUN_BYTES = LIMITS.runData.max;

/** Maximum bytes of one chunk upload: the largest output of one node. */
export const MAX_UPLOAD_BYTES = LIMITS.nodeOutput.max;

/** Maximum bytes of all uploads for one execution. */
export const MAX_UPLOADED_BYTES = LIMITS.uploads.max;

/** Maximum bytes of a child's result that is returned to a parent at once; below the size of a gRPC message. */
export const MAX_RESULT_BYTES = 12 * 1024 * 1024;

/** Maximum bytes of the event that wakes a waiting execution, which is stored in the document. */
export const MAX_RESUME_BYTES = LIMITS.resumeInput.max;

/** Maximum length of the message of a decision about a call of a tool. */
export const MAX_APPROVAL_MESSAGE = 2_000;

/** Maximum length of a reply of a user to a chat. */
export const MAX_CHAT_REPLY = 100_000;

/** Maximum bytes of inputs, states and definitions of one claim; further executions return to the queue. */
export const MAX_CLAIM_BYTES = 12 * 1024 * 1024;

/** Maximum ids or entries of one runner call. */
export const MAX_ENTRIES = 500;

/** Maximum milliseconds for which a runner may delay the next claim of a released run. */
export const MAX_RELEASE_DELAY_MS = 60_000;

/** Maximum ids of one claim. */
export const MAX_CLAIM_IDS = 200;

/** Maximum starts of one call. */
export const MAX_STARTS = 500;

/** Maximum depth of nested sub-workflow calls. */
export const MAX_CALL_DEPTH = 32;

/** Maximum length of an idempotency key. */
export const MAX_KEY_LENGTH = 255;

/** Maximum waiting calls of one replica. */
export const MAX_WAITERS = 2_000;

/** Maximum callers that follow executions at one replica, and maximum of these of one user. */
export const MAX_FOLLOWERS = 2_000;
export const MAX_FOLLOWERS_OF_USER = 200;

/**
 * Maximum bytes of run data, and of the files that it references, that a retry may take over from the original
 * execution.
 */
export const MAX_RETRY_BYTES = 128 * 1024 * 1024;

/** Maximum length of an evaluated concurrency key. */
export const MAX_CONCURRENCY_KEY_LENGTH = 200;

/**
 * Maximum in-memory executions of one replica; further ones are stored first. Their inputs have at most `INLINE_BYTES`,
 * so this also limits their memory.
 */
export const MAX_INLINE_RUNS = 300;

/** Milliseconds of the first lease of an inline run. */
export const INLINE_LEASE_MS = 3_000;

/**
 * Milliseconds of the lease of a claim on an execution that is not stored yet: the death of its runner may go
 * unnoticed.
 */
export const inlineLeaseMs = (leaseMs: number): number => Math.min(leaseMs, INLINE_LEASE_MS);

/** Maximum executions of one claim of offers, and maximum milliseconds of its wait. */
export const MAX_OFFERED = 64;
export const MAX_OFFER_WAIT_MS = 2_000;

/** Maximum waiting claims of one replica; further ones return without waiting. */
export const MAX_WAITING_CLAIMS = 1_000;

/**
 * Number of claims whose given executions are remembered, in case their response is lost: each has at most MAX_OFFERED
 * ids.
 */
export const MAX_KEPT_CLAIMS = 1_000;
