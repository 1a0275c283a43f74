import type { OfferServiceService } from '@weft/proto/offers';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import type { Claim } from '../../domain/claim/claim-executions';
import { MAX_CLAIM_IDS, MAX_OFFERED, MAX_OFFER_WAIT_MS } from '../../domain/state/limits';
import type { OffersForClaims } from '../../domain/inline/waiting-claims';
import { checkName, claimAnswerOf, isGoneOf, stateVersionsOf } from './claims';
import { checkLength } from './process-entries';

const checkRange = (value: number, field: string, least: number, most: number): void => {
  if (value < least || value > most)
    throw new InvalidRequest('The claim is not valid.', [{ field, message: `must be from ${least} to ${most}.` }]);
};

export const claimOfferedHandler =
  (claim: Claim, offers: OffersForClaims, leaseMs: number): Handlers<typeof OfferServiceService>['claimOffered'] =>
  async ({ runnerId, claimId, attempt, maxExecutions, waitMs, knownVersionIds, engineStateVersions }, context) => {
    checkLength(knownVersionIds, 'knownVersionIds', MAX_CLAIM_IDS);
    checkName(runnerId, 'runnerId');
    checkName(claimId, 'claimId');
    checkRange(maxExecutions, 'maxExecutions', 1, MAX_OFFERED);
    checkRange(waitMs, 'waitMs', 0, MAX_OFFER_WAIT_MS);
    const readable = stateVersionsOf(engineStateVersions);
    const from = performance.now();
    const executionIds =
      attempt > 0
        ? offers.givenTo(claimId)
        : await offers.wait({ claimId, most: maxExecutions, ms: waitMs, signal: context.signal });
    const waitedMs = Math.floor(performance.now() - from);
    if (executionIds.length === 0) return { claim: undefined, waitedMs };
    const claimed = await claim({
      executionIds,
      runnerId,
      claimId,
      attempt,
      isolated: false,
      knownVersionIds,
      engineStateVersions: readable,
      isGone: isGoneOf(context),
    });
    return { claim: claimAnswerOf(claimed, leaseMs), waitedMs };
  };
