import type { Sights } from '@weft/service-kit/sight';
import { CallRefused } from '../state/errors';
import type { ExecutionRecord } from '../state/execution';
import type { KnownVersion } from '../state/version-cache';

/** A workflow that is called, and whom it belongs to now: its version is older than its last move. */
export interface CalledWorkflow extends KnownVersion {
  readonly ownerId: string;
}

/**
 * Checks that an execution may call a workflow: the called one decides, by default only for those of its own owner,
 * since it runs with that owner's rights. Whatever it says, one of a closed project is called by runs of that project
 * alone: its result would lie in run data of others.
 * @throws CallRefused, Unavailable
 */
export const checkCall = async (
  { version, facts, ownerId }: CalledWorkflow,
  caller: Pick<ExecutionRecord, 'workflowId' | 'ownerId'>,
  sightOfRun: Sights['ofRun'],
): Promise<void> => {
  if (ownerId !== caller.ownerId && !(await sightOfRun(caller.ownerId)).sees(ownerId))
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
