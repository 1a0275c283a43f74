import type { Clock, ReadExecution } from './ports';
import type { GetVersion } from './version-cache';

/** What credentials asks before it hands a secret to a runner, and workflows before it keeps something for one. */
export interface ClaimQuestion {
  readonly executionId: string;
  readonly fence: number;
  readonly node: string;
  /** Empty: the claim alone is asked about, and the node does not matter. */
  readonly credentialId: string;
}

/** The answer; the ids are empty when it is not granted. */
export interface ClaimAnswer {
  readonly granted: boolean;
  readonly workflowId: string;
  readonly ownerId: string;
}

/** Whether a claim holds and, if a credential is asked about, the node of the pinned version names it. @throws Unavailable */
export type CheckClaim = (question: ClaimQuestion) => Promise<ClaimAnswer>;

const REFUSED: ClaimAnswer = { granted: false, workflowId: '', ownerId: '' };

/** Checks claims. A lease that ran out is no claim any more, even if nobody has taken it away yet. */
export const createCheckClaim =
  (read: ReadExecution, getVersion: GetVersion, clock: Clock): CheckClaim =>
  async ({ executionId, fence, node, credentialId }) => {
    const record = await read(executionId);
    if (record === undefined || record.state !== 'running' || record.fence !== fence) return REFUSED;
    if (record.lease === undefined || record.lease.until.getTime() < clock()) return REFUSED;
    const granted = { granted: true, workflowId: record.workflowId, ownerId: record.ownerId };
    if (credentialId === '') return granted;
    const known = await getVersion(record.versionId);
    if (known?.facts.credentialsOf.get(node)?.has(credentialId) !== true) return REFUSED;
    return granted;
  };
