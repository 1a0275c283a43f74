import type { Principal } from '@weft/service-kit/auth';
import { InvalidRequest } from '@weft/service-kit/errors';
import { loadOwned } from './cancel-execution';
import type { ScopedReads } from '../read/scoped-executions';
import { ApprovalNotPending, ExecutionNotFound } from '../state/errors';
import type { ExecutionRecord } from '../state/execution';
import { wakeWrite } from '../state/free-writes';
import { MAX_APPROVAL_MESSAGE } from '../state/limits';
import type { ApplyWrite, Clock, Publish } from '../state/ports';

/** A decision about a call of a tool. */
export interface ApprovalParams {
  readonly executionId: string;
  /** Id of the approval, as `approvalsOf` gives it. */
  readonly run: string;
  readonly decision: 'approve' | 'reject';
  /** Empty: none. */
  readonly message: string;
}

/**
 * Approves or rejects the call that an execution waits to make, on behalf of a user. Each call is decided once.
 * @throws ExecutionNotFound, Forbidden, ApprovalNotPending, InvalidRequest
 */
export type DecideApproval = (params: ApprovalParams, principal: Principal | undefined) => Promise<ExecutionRecord>;

/** Ports of deciding. */
export interface ApprovalPorts {
  readonly reads: ScopedReads;
  readonly apply: ApplyWrite;
  readonly publish: Publish;
  readonly clock: Clock;
}

/** A call of a tool that waits for a decision. */
export interface ShownApproval {
  readonly run: string;
  readonly node: string;
  readonly tool: string;
  readonly input: string;
  readonly requestedAt: Date;
  readonly expiresAt: Date | undefined;
}

/** The calls that wait for a decision. Their ids are the number of the wait, which no other wait of the run has. */
export const approvalsOf = ({
  state,
  generation,
  wait,
}: Pick<ExecutionRecord, 'state'> & Partial<Pick<ExecutionRecord, 'generation' | 'wait'>>): ShownApproval[] => {
  if (state !== 'waiting' || generation === undefined || wait?.approval === undefined) return [];
  const { node, tool, input = '', requestedAt } = wait.approval;
  return [{ run: String(generation), node, tool, input, requestedAt, expiresAt: wait.resumeAt }];
};

const checkMessage = (message: string): void => {
  if (message.length > MAX_APPROVAL_MESSAGE)
    throw new InvalidRequest('The decision is not valid.', [
      { field: 'message', message: `must have at most ${MAX_APPROVAL_MESSAGE} characters` },
    ]);
};

/** Decides about calls of tools. */
export const createDecideApproval =
  ({ reads, apply, publish, clock }: ApprovalPorts): DecideApproval =>
  async ({ executionId, run, decision, message }, principal) => {
    checkMessage(message);
    const record = await loadOwned(executionId, principal, reads);
    if (!approvalsOf(record).some((approval) => approval.run === run)) throw new ApprovalNotPending(executionId, run);
    const now = new Date(clock());
    const cause = {
      kind: 'approval' as const,
      decision,
      decidedAt: now.getTime(),
      ...(message === '' ? {} : { message }),
      ...(principal === undefined ? {} : { decidedBy: principal.userId }),
    };
    const { outcome } = await apply(executionId, wakeWrite({ generation: record.generation }, cause, now));
    if (outcome !== 'applied') throw new ApprovalNotPending(executionId, run);
    publish(executionId, `${record.generation + 1}`);
    const woken = await reads.read(executionId);
    if (woken === undefined) throw new ExecutionNotFound(executionId);
    return woken;
  };
