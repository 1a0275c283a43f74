import type { ReadHeld } from '../state/ports';
import type { GetVersion } from '../state/version-cache';
import { ClaimLost } from '../state/errors';
import type { HeldExecution } from '../state/execution';

/**
 * A check by credentials before it returns a secret to a runner, or by workflows before it stores something for one.
 */
export interface ClaimCheck {
  readonly executionId: string;
  readonly fence: number;
  readonly node: string;
  /** Empty, without a kind: only the claim is checked. */
  readonly credentialId: string;
  /** Kind that the node must have; absent: any. */
  readonly nodeKind?: string | undefined;
}

/** The result; the ids are empty if not granted. */
export interface ClaimCheckResult {
  readonly granted: boolean;
  readonly workflowId: string;
  readonly ownerId: string;
}

/**
 * Checks a claim and, if requested, that the node of the pinned version uses a credential and has a kind.
 * @throws Unavailable
 */
export type CheckClaim = (question: ClaimCheck) => Promise<ClaimCheckResult>;

const REFUSED: ClaimCheckResult = { granted: false, workflowId: '', ownerId: '' };

/**
 * Checks claims by state and fence. Only the sweeper, which has watched a lease, decides whether it expired; the clock
 * of one replica cannot judge a lease written by another one.
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

/** The execution that a runner holds, as returned by `read`. @throws ClaimLost */
export const readClaimed = async <Held extends Pick<HeldExecution, 'state' | 'fence'>>(
  executionId: string,
  fence: number,
  read: (executionId: string) => Promise<Held | undefined>,
): Promise<Held> => {
  const record = await read(executionId);
  if (record === undefined || record.state !== 'running' || record.fence !== fence) throw new ClaimLost(executionId);
  return record;
};
