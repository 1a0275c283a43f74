import { CallRefused } from './errors';
import type { ExecutionRecord } from './execution';
import type { KnownVersion } from './version-cache';

/**
 * Checks that an execution may call a workflow: the called one decides, by default only for those of its own owner,
 * since it runs with that owner's rights.
 * @throws CallRefused
 */
export const checkCall = (
  { version, facts }: KnownVersion,
  caller: Pick<ExecutionRecord, 'workflowId' | 'ownerId'>,
): void => {
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
      if (version.ownerId === caller.ownerId) return;
      throw new CallRefused(version.workflowId, 'it belongs to another user. Its settings can allow any caller.');
  }
};
