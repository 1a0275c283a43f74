import type { Principal } from '@weft/service-kit/auth';
import type { CancelExecution } from './cancel-execution';
import type { CarryOutFollowUps } from './follow-ups';
import type { ChunkStore } from './chunks';

/** Deletes an execution and its data, on behalf of a user. @throws ExecutionNotFound, Forbidden */
export type DeleteExecution = (executionId: string, principal: Principal | undefined) => Promise<void>;

/** What deleting needs. */
export interface DeletePorts {
  readonly cancel: CancelExecution;
  readonly carryOut: CarryOutFollowUps;
  readonly remove: (executionId: string) => Promise<void>;
  readonly chunks: ChunkStore;
}

/** Cancels first, so that a runner drops the run and a parent is told; then the document goes, then its chunks. */
export const createDeleteExecution =
  ({ cancel, carryOut, remove, chunks }: DeletePorts): DeleteExecution =>
  async (executionId, principal) => {
    const ended = await cancel(executionId, principal);
    await carryOut(ended);
    await remove(executionId);
    await chunks.deleteAll([executionId]);
  };
