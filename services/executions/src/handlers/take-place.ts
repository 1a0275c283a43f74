import { PlaceOutcome, type RunnerServiceService } from '@weft/proto/runner';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import { MAX_CONCURRENCY_KEY_LENGTH } from '../domain/limits';
import type { PlaceTaken, TakePlace } from '../domain/concurrency/take-place';

const OUTCOMES: Readonly<Record<PlaceTaken, PlaceOutcome>> = {
  taken: PlaceOutcome.PLACE_OUTCOME_TAKEN,
  held: PlaceOutcome.PLACE_OUTCOME_HELD,
  ended: PlaceOutcome.PLACE_OUTCOME_ENDED,
};

/** TakePlace. */
export const takePlaceHandler =
  (takePlace: TakePlace): Handlers<typeof RunnerServiceService>['takePlace'] =>
  async ({ executionId, fence, key }) => {
    if (key.length > MAX_CONCURRENCY_KEY_LENGTH)
      throw new InvalidRequest('The key is not valid.', [
        { field: 'key', description: `Use at most ${MAX_CONCURRENCY_KEY_LENGTH} characters.` },
      ]);
    return { outcome: OUTCOMES[await takePlace(executionId, fence, key)] };
  };
