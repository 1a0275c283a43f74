import { Verdict as VerdictMessage } from '@weft/proto/runner';
import { InvalidRequest } from '@weft/service-kit/errors';
import { MAX_ENTRIES } from '../domain/limits';
import type { Verdict } from '../domain/verdict';

const MESSAGES: Readonly<Record<Verdict, VerdictMessage>> = {
  accepted: VerdictMessage.VERDICT_ACCEPTED,
  already: VerdictMessage.VERDICT_ALREADY,
  stale: VerdictMessage.VERDICT_STALE,
  blocked: VerdictMessage.VERDICT_STALE,
};

/** The message of a verdict. */
export const verdictMessage = (verdict: Verdict): VerdictMessage => MESSAGES[verdict];

/** @throws InvalidRequest if a runner's list is too long. */
export const checkLength = (entries: readonly unknown[], field: string, most = MAX_ENTRIES): void => {
  if (entries.length > most)
    throw new InvalidRequest('The list is too long.', [{ field, description: `Send at most ${most}.` }]);
};
