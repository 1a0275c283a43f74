import { isUuid } from '@weft/service-kit/ids';
import { ClaimLost } from '../errors';
import type { CheckClaim, Claim, ClaimedRun } from './state';

/** The run of a claim that holds. @throws ClaimLost, Unavailable */
export const holdClaim = async (checkClaim: CheckClaim, { executionId, fence }: Claim): Promise<ClaimedRun> => {
  const run = isUuid(executionId) ? await checkClaim({ executionId, fence }) : undefined;
  if (run === undefined) throw new ClaimLost(executionId);
  return run;
};
