import type { RunnerServiceService } from '@weft/proto/runner';
import { remainingMs } from '@weft/service-kit/context';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import { isUuid } from '@weft/service-kit/ids';
import type { Claim } from '../domain/claim-executions';
import { MAX_CLAIM_IDS } from '../domain/limits';
import { toClaimedMessage } from './claimed-execution-message';
import { checkLength } from './outcome-message';

const MAX_ID_LENGTH = 100;

const checkName = (value: string, field: string): void => {
  if (value === '' || value.length > MAX_ID_LENGTH)
    throw new InvalidRequest('The claim is not valid.', [{ field, message: `Use 1 to ${MAX_ID_LENGTH} characters.` }]);
};

/** Claim. Ids that are none are refused like ids that nobody can have. */
export const claimHandler =
  (claim: Claim, leaseMs: number): Handlers<typeof RunnerServiceService>['claim'] =>
  async ({ executionIds, runnerId, claimId, attempt = 0, alone = false, knownVersionIds }, context) => {
    checkLength(executionIds, 'executionIds', MAX_CLAIM_IDS);
    checkLength(knownVersionIds, 'knownVersionIds', MAX_CLAIM_IDS);
    checkName(runnerId, 'runnerId');
    checkName(claimId, 'claimId');
    const ids = [...new Set(executionIds)].filter(isUuid);
    if (alone && ids.length > 1)
      throw new InvalidRequest('The claim is not valid.', [
        { field: 'executionIds', message: 'Claim one execution at a time if it runs alone.' },
      ]);
    const isGone = (): boolean => context.signal.aborted || remainingMs(1) === 0;
    const { executions, versions, refusedIds, aloneIds } = await claim({
      executionIds: ids,
      runnerId,
      claimId,
      attempt,
      alone,
      knownVersionIds,
      isGone,
    });
    return {
      executions: executions.map(toClaimedMessage),
      versions: [...versions],
      refusedIds: [...refusedIds, ...executionIds.filter((id) => !isUuid(id))],
      leaseMs,
      aloneIds: [...aloneIds],
    };
  };
