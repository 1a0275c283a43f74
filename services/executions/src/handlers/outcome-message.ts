import { WriteOutcome as OutcomeMessage } from '@weft/proto/runner';
import { InvalidRequest } from '@weft/service-kit/errors';
import { MAX_ENTRIES } from '../domain/limits';
import type { WriteOutcome } from '../domain/write-outcome';

const MESSAGES: Readonly<Record<WriteOutcome, OutcomeMessage>> = {
  applied: OutcomeMessage.WRITE_OUTCOME_APPLIED,
  duplicate: OutcomeMessage.WRITE_OUTCOME_DUPLICATE,
  fenced: OutcomeMessage.WRITE_OUTCOME_FENCED,
  blocked: OutcomeMessage.WRITE_OUTCOME_FENCED,
};

/** Converts an outcome. */
export const toOutcomeMessage = (outcome: WriteOutcome): OutcomeMessage => MESSAGES[outcome];

/** @throws InvalidRequest if a runner's list is too long. */
export const checkLength = (entries: readonly unknown[], field: string, most = MAX_ENTRIES): void => {
  if (entries.length > most)
    throw new InvalidRequest('The list is too long.', [{ field, message: `Send at most ${most}.` }]);
};
