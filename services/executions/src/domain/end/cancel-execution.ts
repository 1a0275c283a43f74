import type { Principal } from '@weft/service-kit/auth';
import { mayChange } from '@weft/service-kit/auth';
import { Forbidden } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import { ExecutionNotFound } from '../state/errors';
import type { ExecutionRecord } from '../state/execution';
import { isEndState } from '../state/execution-state';
import { cancelWrite } from '../state/free-writes';
import type { ApplyWrite, Clock } from '../state/ports';
import { retentionOf } from '../state/run-writes';
import type { ScopedReads } from '../read/scoped-executions';

/** Cancels an execution that has not ended, on behalf of a user. @throws ExecutionNotFound, Forbidden */
export type CancelExecution = (executionId: string, principal: Principal | undefined) => Promise<ExecutionRecord>;

/** Ports of cancelling. */
export interface CancelPorts {
  readonly reads: ScopedReads;
  readonly apply: ApplyWrite;
  readonly clock: Clock;
  readonly retentionMs: number;
}

/** An execution that a user may change. @throws ExecutionNotFound, Forbidden */
export const loadOwned = async (
  executionId: string,
  principal: Principal | undefined,
  { read }: ScopedReads,
): Promise<ExecutionRecord> => {
  const record = isUuid(executionId) ? await read(executionId) : undefined;
  if (record === undefined) throw new ExecutionNotFound(executionId);
  if (principal !== undefined && !mayChange(principal, record.ownerId))
    throw new Forbidden('This execution belongs to another user.', { executionId });
  return record;
};

/** Cancels executions; an ended one is unchanged. */
export const createCancelExecution =
  ({ reads, apply, clock, retentionMs }: CancelPorts): CancelExecution =>
  async (executionId, principal) => {
    const record = await loadOwned(executionId, principal, reads);
    if (isEndState(record.state)) return record;
    await apply(executionId, cancelWrite(new Date(clock()), retentionOf(record, retentionMs)));
    const ended = await reads.read(executionId);
    if (ended === undefined) throw new ExecutionNotFound(executionId);
    return ended;
  };
