import { createBoundedCache } from '@weft/service-kit/caching';
import { isObject, textField } from '@weft/service-kit/json';
import type { Logger } from '@weft/service-kit/logging';
import type { ExecutionRecord } from '../domain/state/execution';
import { END_STATES } from '../domain/state/execution-state';
import type { ApplyWrite, Clock, InsertExecution, ReadHeld } from '../domain/state/ports';
import type { Write } from '../domain/state/write';
import type { GetVersion } from '../domain/state/version-cache';
import { runMetrics } from './run-metrics';
import { shownMessage } from './shown-message';

type EndState = (typeof END_STATES)[number];

/** Fields of the log line about an end. */
type RunFacts = Pick<ExecutionRecord, 'workflowId' | 'versionId' | 'createdAt' | 'requestId'>;

/** The failure of a run as the log line shows it. */
interface Failure {
  readonly reason: string;
  /** Empty if no node failed. */
  readonly node: string;
  readonly message: string;
}

/** Dependencies of observing. */
export interface ObserverParts {
  readonly readHeld: ReadHeld;
  readonly getVersion: GetVersion;
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

const failureOf = (error: unknown): Failure | undefined => {
  if (!isObject(error)) return undefined;
  const text = (name: keyof Failure): string => textField(error, name) ?? '';
  return { reason: text('reason'), node: text('node'), message: text('message') };
};

/** Maximum characters of the names that users choose. */
const MAX_NAME = 200;

/** Creates the observer of one replica. */
export const createRunObserver = ({ readHeld, getVersion, logger, clock }: ObserverParts): RunObserver => {
  const known = createBoundedCache<string, RunFacts>({ maxEntries: MAX_KNOWN });
  const remember = ({ _id, workflowId, versionId, createdAt, requestId }: ExecutionRecord): void =>
    known.set(_id, { workflowId, versionId, createdAt, ...(requestId === undefined ? {} : { requestId }) });

  /** Fields about a failure. The name of the workflow is missing if its version cannot be read. */
  const shownFailure = async ({ reason, node, message }: Failure, versionId: string): Promise<object> => {
    const version = await getVersion(versionId).catch(() => undefined);
    const workflow = version?.facts.name ?? '';
    return {
      ...(workflow === '' ? {} : { workflow: workflow.slice(0, MAX_NAME) }),
      ...(reason === '' ? {} : { reason }),
      ...(node === '' ? {} : { node: node.slice(0, MAX_NAME) }),
      ...(message === '' ? {} : { message: shownMessage(message) }),
    };
  };
  const report = async (
    executionId: string,
    status: EndState,
    failure: Failure | undefined,
    { workflowId, versionId, createdAt, requestId }: RunFacts,
    now: number,
  ): Promise<void> => {
    const ms = Math.max(0, now - createdAt.getTime());
    runMetrics.ended(status, failure?.reason ?? '', ms);
    const shown = failure === undefined ? {} : await shownFailure(failure, versionId);
    logger.info({ executionId, workflowId, status, ...shown, ms, requestId }, 'execution ended');
  };
  const ended = async (executionId: string, status: EndState, failure: Failure | undefined): Promise<void> => {
    const now = clock();
    const facts = known.get(executionId) ?? (await readHeld(executionId));
    if (facts !== undefined) await report(executionId, status, failure, facts, now);
  };
  const reportFailed =
    (executionId: string) =>
    (err: unknown): void =>
      logger.warn({ err, executionId }, 'an execution ended, and its details could not be read');
  const applied = (executionId: string, { transition, changes }: Write): void => {
    if (transition === 'expire' || transition === 'crash') runMetrics.leaseExpired();
    if (transition === 'crash') runMetrics.givenUp();
    if (transition === 'release') runMetrics.claimReleased('released');
    if (transition === 'unclaim') runMetrics.claimReleased('unclaimed');
    const status = endStateOf(changes.set['state']);
    if (status !== undefined)
      ended(executionId, status, failureOf(changes.set['error'])).catch(reportFailed(executionId));
  };
  return {
    insert: (insert) => async (record) => {
      const outcome = await insert(record);
      if (outcome.kind !== 'inserted' || outcome.isRepeated === true) return outcome;
      runMetrics.started(record.mode);
      const status = endStateOf(record.state);
      // One that ended before it was stored.
      if (status !== undefined)
        report(record._id, status, failureOf(record.error), record, clock()).catch(reportFailed(record._id));
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
