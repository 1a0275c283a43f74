import { isUuid } from '@weft/service-kit/ids';
import { ClaimLost } from '../errors';

/** A runner's claim on an execution. A runner that lost it must not write any more. */
export interface Claim {
  readonly executionId: string;
  readonly fence: number;
}

/** The execution of a claim. */
export interface ClaimedRun {
  readonly workflowId: string;
  /** The workflow's owner, whose permissions the run has. */
  readonly ownerId: string;
}

/** Asks the executions service whether a claim is valid; undefined if not. @throws Unavailable */
export type CheckClaim = (claim: Claim) => Promise<ClaimedRun | undefined>;

/** The run of a valid claim. @throws ClaimLost, Unavailable */
export const requireClaim = async (checkClaim: CheckClaim, { executionId, fence }: Claim): Promise<ClaimedRun> => {
  const run = isUuid(executionId) ? await checkClaim({ executionId, fence }) : undefined;
  if (run === undefined) throw new ClaimLost(executionId);
  return run;
};
