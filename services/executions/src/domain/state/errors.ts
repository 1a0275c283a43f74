import { ServiceError, type FieldError } from '@weft/service-kit/errors';

/** No execution has this id, or it was deleted or has expired. */
export class ExecutionNotFound extends ServiceError {
  constructor(executionId: string) {
    super({
      reason: 'EXECUTION_NOT_FOUND',
      kind: 'not-found',
      message: `No execution has the id ${executionId}.`,
      details: { executionId },
    });
  }
}

/** No workflow has this id, which is not even well-formed. */
export class WorkflowNotFound extends ServiceError {
  constructor(workflowId: string) {
    super({
      reason: 'WORKFLOW_NOT_FOUND',
      kind: 'not-found',
      message: `No workflow has the id ${workflowId}.`,
      details: { workflowId },
    });
  }
}

/** The idempotency key belongs to a start with another request. */
export class IdempotencyKeyReused extends ServiceError {
  constructor(executionId: string) {
    super({
      reason: 'IDEMPOTENCY_KEY_REUSED',
      kind: 'conflict',
      message:
        `This idempotency key belongs to execution ${executionId}, which was started by another request. Use a ` +
        'new key for a new request.',
      details: { executionId },
    });
  }
}

/** No call of a tool waits for this decision. */
export class ApprovalNotPending extends ServiceError {
  constructor(executionId: string, run: string) {
    const shown = run.slice(0, 100);
    super({
      reason: 'APPROVAL_NOT_PENDING',
      kind: 'conflict',
      message:
        `The execution does not wait for approval ${shown}: it was decided, its time is over, or the execution has ` +
        'ended. Read the execution for the calls that wait.',
      details: { executionId, run: shown },
    });
  }
}

/** Only ended executions can be retried. */
export class ExecutionNotFinished extends ServiceError {
  constructor(executionId: string) {
    super({
      reason: 'EXECUTION_NOT_FINISHED',
      kind: 'conflict',
      message: `Execution ${executionId} has not ended. Wait for its end, or cancel it, and retry it then.`,
      details: { executionId },
    });
  }
}

/**
 * Another execution that has not ended excludes this start: of a schedule whose runs must not overlap, or of a backfill
 * at its concurrency limit.
 */
export class ExecutionOverlaps extends ServiceError {
  constructor(executionId: string) {
    super({
      reason: 'EXECUTION_OVERLAPS',
      kind: 'conflict',
      message:
        `Execution ${executionId} has not ended, and this start must not run concurrently. Start it when that ` +
        'execution has ended.',
      details: { executionId },
    });
  }
}

/** Makes the error for data that another execution cannot take over. @param why a sentence with advice */
export type Refuse = (why: string) => ServiceError;

/** The output of an execution cannot be used again. */
export class ReuseNotPossible extends ServiceError {
  /** @param why a sentence with advice. */
  constructor(executionId: string, why: string, fields: readonly FieldError[] = []) {
    super({
      reason: 'REUSE_NOT_POSSIBLE',
      kind: 'conflict',
      message: `The output of execution ${executionId} cannot be used again: ${why}`,
      details: { executionId },
      fields,
    });
  }
}

/** The execution cannot be retried in this way. */
export class RetryNotPossible extends ServiceError {
  /** @param why a sentence with advice. */
  constructor(executionId: string, why: string, fields: readonly FieldError[] = []) {
    super({
      reason: 'RETRY_NOT_POSSIBLE',
      kind: 'conflict',
      message: `Execution ${executionId} cannot be retried like this: ${why}`,
      details: { executionId },
      fields,
    });
  }
}

/** No job has this id, or it was deleted. */
export class RetryJobNotFound extends ServiceError {
  constructor(retryJobId: string) {
    const shown = retryJobId.slice(0, 100);
    super({
      reason: 'RETRY_JOB_NOT_FOUND',
      kind: 'not-found',
      message: `No retry job has the id ${shown}.`,
      details: { retryJobId: shown },
    });
  }
}

/** More executions match the filter of a job than a job may retry. */
export class RetryTooMany extends ServiceError {
  constructor(limit: number) {
    super({
      reason: 'RETRY_TOO_MANY',
      kind: 'precondition',
      message:
        `The filter matches more than ${limit} executions, the maximum for one job. Narrow it, for example by ` +
        'time or workflow.',
      details: { limit: String(limit) },
    });
  }
}

/** The maximum number of jobs is running. */
export class TooManyRetryJobs extends ServiceError {
  constructor(limit: number) {
    super({
      reason: 'TOO_MANY_RETRY_JOBS',
      kind: 'precondition',
      message: `${limit} retry jobs are running, which is the maximum. Wait for one of them, or cancel it.`,
      details: { limit: String(limit) },
    });
  }
}

/** The idempotency key belongs to another job. */
export class RetryJobKeyReused extends ServiceError {
  constructor(retryJobId: string) {
    super({
      reason: 'IDEMPOTENCY_KEY_REUSED',
      kind: 'conflict',
      message:
        `This idempotency key belongs to retry job ${retryJobId}, which was started by another request. Use a ` +
        'new key for a new request.',
      details: { retryJobId },
    });
  }
}

/** No execution has ever waited for this token. */
export class ResumeTokenUnknown extends ServiceError {
  constructor() {
    super({ reason: 'RESUME_TOKEN_UNKNOWN', kind: 'not-found', message: 'No execution waits at this address.' });
  }
}

/**
 * The execution of the token does not wait for it now: another call came first, it has not reached its wait, or it has
 * ended.
 */
export class ExecutionNotWaiting extends ServiceError {
  constructor(hasEnded: boolean) {
    super({
      reason: 'EXECUTION_NOT_WAITING',
      kind: 'conflict',
      message: hasEnded
        ? 'The execution has already ended: nothing waits at this address.'
        : 'The execution is not waiting at this address: it has already continued, or it waits for something else.',
    });
  }
}

/** The token was published, but its execution has not reached its wait node yet. */
export class ExecutionNotWaitingYet extends ServiceError {
  constructor() {
    super({
      reason: 'EXECUTION_NOT_WAITING_YET',
      kind: 'conflict',
      message: 'The execution has not reached its wait node yet. Try again in a moment.',
    });
  }
}

/** The caller does not hold the claim it acts for. */
export class ClaimLost extends ServiceError {
  constructor(executionId: string) {
    super({
      reason: 'CLAIM_LOST',
      kind: 'precondition',
      message: `Execution ${executionId} is no longer claimed with this fence. Drop the run.`,
      details: { executionId },
    });
  }
}

/** No chunk of the execution has this id, or its upload did not finish. */
export class ChunkNotFound extends ServiceError {
  constructor(chunkId: string) {
    super({
      reason: 'CHUNK_NOT_FOUND',
      kind: 'not-found',
      message: `The execution has no complete chunk ${chunkId}.`,
      details: { chunkId },
    });
  }
}

/** The version of a start does not exist, or belongs to another workflow. */
export class VersionNotFound extends ServiceError {
  constructor(versionId: string) {
    super({
      reason: 'VERSION_NOT_FOUND',
      kind: 'not-found',
      message: `No version ${versionId} of this workflow exists.`,
      details: { versionId },
    });
  }
}

/** The sub-workflow may not be called from here. */
export class CallRefused extends ServiceError {
  constructor(workflowId: string, why: string) {
    super({
      reason: 'WORKFLOW_CALL_REFUSED',
      kind: 'forbidden',
      message: `Workflow ${workflowId} may not be called from here: ${why}`,
      details: { workflowId },
    });
  }
}

/** The id that a caller created for its start belongs to another execution. */
export class ExecutionIdTaken extends ServiceError {
  constructor(executionId: string) {
    super({
      reason: 'EXECUTION_ID_TAKEN',
      kind: 'conflict',
      message: `Execution ${executionId} was started by another request. Use a new id.`,
      details: { executionId },
    });
  }
}

/** The queue has no capacity for this start. A response, not a server error: breakers do not count it. */
export class QueueFull extends ServiceError {
  constructor(message: string) {
    super({ reason: 'QUEUE_FULL', kind: 'limited', message: `${message} Try again later.`, retryAfterSeconds: 5 });
  }
}

/** Too many calls wait for their responses. */
export class TooManyWaiting extends ServiceError {
  constructor(
    message = 'Too many calls wait for the end of their executions. Start without waiting, or try again later.',
  ) {
    super({
      reason: 'TOO_MANY_WAITING',
      kind: 'limited',
      message,
      retryAfterSeconds: 5,
    });
  }
}

/** The replica that the call waited at stops. The execution continues; the caller asks another replica. */
export class ReplicaStopping extends ServiceError {
  constructor(executionId: string) {
    super({
      reason: 'REPLICA_STOPPING',
      kind: 'unavailable',
      message: 'The replica that held the call is shutting down. The execution continues: send the request again.',
      details: { executionId },
      retryAfterSeconds: 1,
    });
  }
}

/** Reasons of failed executions, set by this service or by runners. */
export const END_REASONS = {
  timedOut: 'TIMED_OUT',
  cancelled: 'CANCELLED',
  concurrencyLimit: 'CONCURRENCY_LIMIT',
  crashed: 'CRASHED',
  tooManyNodeRuns: 'TOO_MANY_NODE_RUNS',
  dataTooLarge: 'RUN_DATA_TOO_LARGE',
  resultRefused: 'RESULT_REFUSED',
  dataUnreadable: 'RUN_DATA_UNREADABLE',
  memoryExceeded: 'RUN_MEMORY_EXCEEDED',
  versionMissing: 'WORKFLOW_VERSION_MISSING',
} as const;

/** The execution has no node run at this position, or not yet. */
export class NodeRunNotFound extends ServiceError {
  constructor(executionId: string, executionIndex: number) {
    super({
      reason: 'NODE_RUN_NOT_FOUND',
      kind: 'not-found',
      message: `Execution ${executionId} has no node run ${executionIndex}.`,
      details: { executionId, executionIndex: String(executionIndex) },
    });
  }
}
