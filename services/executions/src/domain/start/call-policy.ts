import type { VisibilityScopes } from '@weft/service-kit/visibility';
import { CallRefused } from '../state/errors';
import type { ExecutionRecord } from '../state/execution';
import type { KnownVersion } from '../state/version-cache';

/** A called workflow, with its current owner: the version may be older than its last move. */
export interface CalledWorkflow extends KnownVersion {
  readonly ownerId: string;
}

/**
 * Checks that an execution may call a workflow. The called workflow decides; by default it allows only workflows of its
 * owner, since it runs with that owner's rights. A workflow of a closed project can be called only from that project,
 * whatever its policy: its result would otherwise appear in run data of others.
 * @throws CallRefused, Unavailable
 */
export const checkCall = async (
  { version, facts, ownerId }: CalledWorkflow,
  caller: Pick<ExecutionRecord, 'workflowId' | 'ownerId'>,
  scopeOfRun: VisibilityScopes['ofRun'],
): Promise<void> => {
  if (ownerId !== caller.ownerId && !(await scopeOfRun(caller.ownerId)).sees(ownerId))
    throw new CallRefused(version.workflowId, 'it belongs to a closed project, whose workflows alone may call it.');
  if (version.workflowId === caller.workflowId) return;
  switch (facts.callerPolicy) {
    case 'any':
      return;
    case 'none':
      throw new CallRefused(version.workflowId, 'its settings let no workflow call it.');
    case 'listed':
      if (facts.callers.includes(caller.workflowId)) return;
      throw new CallRefused(version.workflowId, 'the caller is not in the list of its settings.');
    case 'same-owner':
      if (ownerId === caller.ownerId) return;
      throw new CallRefused(version.workflowId, 'it belongs to another user. Its settings can allow any caller.');
  }
};
