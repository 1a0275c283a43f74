import { WriteOutcome as OutcomeMessage, type Refusals, WriteOutcome as Outcomes } from '@weft/proto/runner';
import { InvalidRequest, toServiceError, Unavailable, type ServiceError } from '@weft/service-kit/errors';
import { toRpcStatus } from '@weft/service-kit/grpc';
import { MAX_ENTRIES } from '../../domain/state/limits';
import type { WriteOutcome } from '../../domain/state/write-outcome';
import type { Warn } from '../../domain/state/ports';

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

const UNREADY = 'The service is not ready. Try again.';

/** Response of a list RPC: one outcome per entry, in order, and the reasons of refusals. */
export interface EntryResults {
  readonly outcomes: OutcomeMessage[];
  readonly refusals?: Refusals;
}

/**
 * Processes a list entry by entry, concurrently. An error of an entry, whether it is malformed or the store is
 * unavailable, affects only that entry.
 * @throws InvalidRequest for too long a list, before anything was done
 */
export type ProcessEntries = <Entry extends { readonly executionId: string }>(
  entries: readonly Entry[],
  carryOut: (entry: Entry) => Promise<WriteOutcome>,
) => Promise<EntryResults>;

/**
 * @param warn receives internal errors, which callers see only as INTERNAL.
 * @param isReady the readiness probe: while it fails, an internal error says nothing about an entry
 */
export const createProcessEntries =
  (warn: Warn, isReady: () => Promise<boolean>): ProcessEntries =>
  async (entries, carryOut) => {
    checkLength(entries, 'entries');
    // A separate function, so that errors of decoding also reject only this entry.
    const settled = await Promise.allSettled(entries.map(async (entry) => carryOut(entry)));
    const errors = settled.map((one) => (one.status === 'fulfilled' ? undefined : toServiceError(one.reason)));
    const isWell = !errors.some((error) => error?.kind === 'internal') || (await isReady());
    const refused = new Map<number, ServiceError>();
    const outcomes = settled.map((one, position) => {
      if (one.status === 'fulfilled') return toOutcomeMessage(one.value);
      const error = errors[position] ?? toServiceError(one.reason);
      if (error.kind === 'internal')
        warn({ executionId: entries[position]?.executionId, err: error.cause ?? error }, 'an entry of a list failed');
      refused.set(position, error.kind === 'internal' && !isWell ? new Unavailable(UNREADY, error) : error);
      return Outcomes.WRITE_OUTCOME_REFUSED;
    });
    return refused.size === 0
      ? { outcomes }
      : {
          outcomes,
          refusals: {
            byPosition: Object.fromEntries([...refused].map(([position, error]) => [position, toRpcStatus(error)])),
          },
        };
  };
