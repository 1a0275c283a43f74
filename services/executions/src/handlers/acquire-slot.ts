import { SlotOutcome, type RunnerServiceService } from '@weft/proto/runner';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import { MAX_CONCURRENCY_KEY_LENGTH } from '../domain/limits';
import type { SlotResult, AcquireSlot } from '../domain/concurrency/acquire-slot';

const OUTCOMES: Readonly<Record<SlotResult, SlotOutcome>> = {
  acquired: SlotOutcome.SLOT_OUTCOME_ACQUIRED,
  queued: SlotOutcome.SLOT_OUTCOME_QUEUED,
  ended: SlotOutcome.SLOT_OUTCOME_ENDED,
};

/** AcquireSlot. */
export const acquireSlotHandler =
  (acquireSlot: AcquireSlot): Handlers<typeof RunnerServiceService>['acquireSlot'] =>
  async ({ executionId, fence, key }) => {
    if (key.length > MAX_CONCURRENCY_KEY_LENGTH)
      throw new InvalidRequest('The key is not valid.', [
        { field: 'key', message: `Use at most ${MAX_CONCURRENCY_KEY_LENGTH} characters.` },
      ]);
    return { outcome: OUTCOMES[await acquireSlot(executionId, fence, key)] };
  };
