import { isUuid } from '@weft/service-kit/ids';
import { ClaimLost } from './errors';

/** A runner's hold on an execution. A runner that lost it may write nothing more. */
export interface Claim {
  readonly executionId: string;
  readonly fence: number;
}

/** The execution that a claim is on. */
export interface ClaimedRun {
  readonly workflowId: string;
  /** The workflow's owner, whose rights the run has. */
  readonly ownerId: string;
}

/** Asks the executions service whether a claim holds; undefined if not. @throws Unavailable */
export type CheckClaim = (claim: Claim) => Promise<ClaimedRun | undefined>;

/** The run of a claim that holds. @throws ClaimLost, Unavailable */
export const requireClaim = async (checkClaim: CheckClaim, { executionId, fence }: Claim): Promise<ClaimedRun> => {
  const run = isUuid(executionId) ? await checkClaim({ executionId, fence }) : undefined;
  if (run === undefined) throw new ClaimLost(executionId);
  return run;
};
