import type { ApprovalRequest, Resume } from '../../node/node';
import { NodeFailure } from '../../node/node-failure';
import type { PreparedNode } from '../../prepare/prepare-workflow';
import type { ReadyEntry } from '../../records/engine-state';
import type { ApprovalDecision, PendingCall } from '../../records/pending-calls';
import type { RunFrame } from '../run-frame';

/** Milliseconds for which a call waits for a decision. */
const MAX_WAIT_MS = 7 * 24 * 60 * 60_000;

/** True for a call of a tool that a person must approve, and that has no decision yet. */
export function needsApproval(frame: RunFrame, node: PreparedNode, call: PendingCall): boolean {
  return node.options.approval && call.approval === undefined && !frame.pins.has(node.name);
}

/** The wait for a decision about a call. */
export function approvalRequest(frame: RunFrame, node: PreparedNode, { tool, input }: PendingCall): ApprovalRequest {
  return { kind: 'approval', node: node.name, tool, input, at: frame.deps.ports.clock.now() + MAX_WAIT_MS };
}

/** The entry of a call that has waited for a decision, with that decision. */
export function decided({ waited: _waited, ...entry }: ReadyEntry, call: PendingCall, resume?: Resume): ReadyEntry {
  const approval: ApprovalDecision = resume?.kind === 'approval' ? resume.approval : { decision: 'expired' };
  return { ...entry, call: { ...call, approval } };
}

/** The failure of a call that was not approved; undefined for any other call. */
export function refusalOf({ approval }: PendingCall): NodeFailure | undefined {
  if (approval?.decision === 'reject') {
    const reason = approval.message === undefined ? '' : `: ${approval.message}`;
    return new NodeFailure(`The call was rejected by a person${reason}`);
  }
  return approval?.decision === 'expired'
    ? new NodeFailure('The call was not made: it was not approved within 7 days')
    : undefined;
}
