import { createBoundedCache } from '@weft/service-kit/caching';
import type { Logger } from '@weft/service-kit/logging';
import type { ExecutionRecord } from '../domain/state/execution';
import { END_STATES } from '../domain/state/execution-state';
import type { ApplyWrite, Clock, InsertExecution, ReadHeld } from '../domain/state/ports';
import type { Write } from '../domain/state/write';
import { runMetrics } from './run-metrics';

type EndState = (typeof END_STATES)[number];

/** Fields of the log line about an end. */
type RunFacts = Pick<ExecutionRecord, 'workflowId' | 'createdAt' | 'requestId'>;

/** Dependencies of observing. */
export interface ObserverParts {
  readonly readHeld: ReadHeld;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Observes executions next to the store, whichever caller changes them: metrics, and one log line for each end. */
export interface RunObserver {
  readonly insert: (insert: InsertExecution) => InsertExecution;
  readonly apply: (apply: ApplyWrite) => ApplyWrite;
  /** Executions were claimed through this replica. */
  readonly claimed: (records: readonly ExecutionRecord[]) => void;
}

/**
 * Maximum number of executions whose fields are cached for the log line about their end; the fields of others are read.
 */
const MAX_KNOWN = 20_000;

const endStateOf = (state: unknown): EndState | undefined => END_STATES.find((end) => end === state);

const reasonOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'reason' in error && typeof error.reason === 'string'
    ? error.reason
    : '';

/** Creates the observer of one replica. */
export const createRunObserver = ({ readHeld, logger, clock }: ObserverParts): RunObserver => {
  const known = createBoundedCache<string, RunFacts>({ maxEntries: MAX_KNOWN });
  const remember = ({ _id, workflowId, createdAt, requestId }: ExecutionRecord): void =>
    known.set(_id, { workflowId, createdAt, ...(requestId === undefined ? {} : { requestId }) });

  const report = (executionId: string, status: EndState, reason: string, facts: RunFacts, now: number): void => {
    const { workflowId, createdAt, requestId } = facts;
    const ms = Math.max(0, now - createdAt.getTime());
    runMetrics.ended(status, reason, ms);
    logger.info(
      { executionId, workflowId, status, ...(reason === '' ? {} : { reason }), ms, requestId },
      'execution ended',
    );
  };
  const ended = async (executionId: string, status: EndState, reason: string): Promise<void> => {
    const now = clock();
    const facts = known.get(executionId) ?? (await readHeld(executionId));
    if (facts !== undefined) report(executionId, status, reason, facts, now);
  };
  const applied = (executionId: string, { transition, changes }: Write): void => {
    if (transition === 'expire' || transition === 'crash') runMetrics.leaseExpired();
    if (transition === 'crash') runMetrics.givenUp();
    if (transition === 'release') runMetrics.claimReleased('released');
    if (transition === 'unclaim') runMetrics.claimReleased('unclaimed');
    const status = endStateOf(changes.set['state']);
    if (status !== undefined)
      ended(executionId, status, reasonOf(changes.set['error'])).catch((err: unknown) =>
        logger.warn({ err, executionId }, 'an execution ended, and its details could not be read'),
      );
  };
  return {
    insert: (insert) => async (record) => {
      const outcome = await insert(record);
      if (outcome.kind !== 'inserted' || outcome.isRepeated === true) return outcome;
      runMetrics.started(record.mode);
      const status = endStateOf(record.state);
      // One that ended before it was stored.
      if (status !== undefined) report(record._id, status, reasonOf(record.error), record, clock());
      else remember(record);
      return outcome;
    },
    apply: (apply) => async (executionId, write) => {
      const outcome = await apply(executionId, write);
      if (outcome.outcome === 'applied') applied(executionId, write);
      return outcome;
    },
    claimed: (records) => {
      const now = clock();
      for (const record of records) {
        remember(record);
        // A later claim continues a run that was in the queue before.
        if (record.fence === 1) runMetrics.claimed(Math.max(0, now - record.createdAt.getTime()));
      }
    },
  };
};
