import type { ReadHeld } from '../state/ports';
import type { GetVersion } from '../state/version-cache';
import { ClaimLost } from '../state/errors';
import type { HeldExecution } from '../state/execution';

/**
 * Question of credentials before it returns a secret to a runner, and of workflows before it stores something for one.
 */
export interface ClaimCheck {
  readonly executionId: string;
  readonly fence: number;
  readonly node: string;
  /** Empty, and no kind: the claim alone is asked about, and the node does not matter. */
  readonly credentialId: string;
  /** Kind that the node must be of; absent: any. */
  readonly nodeKind?: string | undefined;
}

/** The answer; the ids are empty when it is not granted. */
export interface ClaimCheckResult {
  readonly granted: boolean;
  readonly workflowId: string;
  readonly ownerId: string;
}

/**
 * Checks that a claim holds and, as far as they are asked about, that the node of the pinned version names a credential
 * and is of a kind.
 * @throws Unavailable
 */
export type CheckClaim = (question: ClaimCheck) => Promise<ClaimCheckResult>;

const REFUSED: ClaimCheckResult = { granted: false, workflowId: '', ownerId: '' };

/**
 * Checks claims: by state and fence alone. Whether a lease ran out is for the sweeper to say, which has watched it; the
 * clock of one replica says nothing about a lease that another one wrote.
 */
export const createCheckClaim =
  (read: ReadHeld, getVersion: GetVersion): CheckClaim =>
  async ({ executionId, fence, node, credentialId, nodeKind }) => {
    const record = await read(executionId);
    if (record === undefined || record.state !== 'running' || record.fence !== fence) return REFUSED;
    const granted = { granted: true, workflowId: record.workflowId, ownerId: record.ownerId };
    if (credentialId === '' && nodeKind === undefined) return granted;
    const facts = (await getVersion(record.versionId))?.facts;
    const isNamed = credentialId === '' || facts?.credentialsOf.get(node)?.has(credentialId) === true;
    const isOfKind = nodeKind === undefined || facts?.kindOf.get(node) === nodeKind;
    return isNamed && isOfKind ? granted : REFUSED;
  };

/** The execution a runner holds, or what `read` gives of it. @throws ClaimLost */
export const readClaimed = async <Held extends Pick<HeldExecution, 'state' | 'fence'>>(
  executionId: string,
  fence: number,
  read: (executionId: string) => Promise<Held | undefined>,
): Promise<Held> => {
  const record = await read(executionId);
  if (record === undefined || record.state !== 'running' || record.fence !== fence) throw new ClaimLost(executionId);
  return record;
};
