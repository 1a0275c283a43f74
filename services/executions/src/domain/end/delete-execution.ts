import type { Principal } from '@weft/service-kit/auth';
import type { CancelExecution } from './cancel-execution';
import type { ChunkStore } from '../data/chunks';
import type { RunCompletionHooks } from './completion-hooks';
import { removeWrite } from '../state/free-writes';
import type { ApplyWrite, Clock } from '../state/ports';
import type { RemoveExecutions } from '../data/purge';
import type { SegmentLog } from '../data/segment-log';

/** Deletes an execution and its data, on behalf of a user. @throws ExecutionNotFound, Forbidden */
export type DeleteExecution = (executionId: string, principal: Principal | undefined) => Promise<void>;

/** Ports of deleting. */
export interface DeletePorts {
  readonly cancel: CancelExecution;
  readonly runHooks: RunCompletionHooks;
  readonly apply: ApplyWrite;
  readonly removeAll: RemoveExecutions;
  readonly chunks: ChunkStore;
  readonly log: SegmentLog;
  readonly clock: Clock;
}

/**
 * Cancels first, so that a runner drops the run and a parent is notified; then hides the execution and deletes its
 * data. Its completion hooks run; if one fails now, its document stays, hidden, until all have run.
 */
export const createDeleteExecution =
  ({ cancel, runHooks, apply, removeAll, chunks, log, clock }: DeletePorts): DeleteExecution =>
  async (executionId, principal) => {
    const ended = await cancel(executionId, principal);
    await apply(executionId, removeWrite(new Date(clock())));
    await Promise.all([chunks.deleteAll([executionId]), log.deleteAll([executionId])]);
    if (await runHooks(ended)) await removeAll([executionId]);
  };
