import { WriteOutcome as WireOutcome, type Refusals } from '@weft/proto/runner';
import { createBatcher } from '@weft/service-kit/batching';
import { ServiceError, Unavailable } from '@weft/service-kit/errors';
import { fromRpcStatus } from '@weft/service-kit/grpc';
import { LimitExceeded, LIMITS } from '@weft/service-kit/limits';
import type { WriteOutcome } from '../domain/claims/claimed-execution';
import { EntryFailed, isRefusal } from '../domain/claims/held/retry-while-held';

/** Maximum bytes of one call, below the message limit. A larger entry is sent alone. */
const BATCH_BYTES = 4 * 1024 * 1024;
const MAX_ENTRIES = 100;

/** Response of a list RPC. */
export interface ListAnswer {
  readonly outcomes: readonly WireOutcome[];
  readonly refusals?: Refusals | undefined;
}

/** Options of sending the entries of a list RPC. */
export interface EntryCodec<Entry> {
  readonly encode: (entry: Entry) => { finish(): Uint8Array };
}

const refusalOf = (refusals: Refusals | undefined, position: number): Error => {
  const status = refusals?.byPosition[position];
  if (status === undefined) return new Unavailable('The executions service refused an entry without a reason.');
  const error = fromRpcStatus(status);
  return error.kind === 'internal' ? new EntryFailed(error.message, error) : error;
};

/** The outcome of one entry. A missing or unknown outcome is not a response: the entry is sent again. */
const outcomeOf = ({ outcomes, refusals }: ListAnswer, position: number): WriteOutcome | Error => {
  const written = outcomes[position];
  switch (written) {
    case WireOutcome.WRITE_OUTCOME_APPLIED:
      return 'applied';
    case WireOutcome.WRITE_OUTCOME_DUPLICATE:
      return 'duplicate';
    case WireOutcome.WRITE_OUTCOME_FENCED:
      return 'fenced';
    case WireOutcome.WRITE_OUTCOME_REFUSED:
      return refusalOf(refusals, position);
    case WireOutcome.WRITE_OUTCOME_UNSPECIFIED:
    case undefined:
  }
  return new Unavailable('The executions service did not respond to an entry.');
};

interface Weighed<Entry> {
  readonly entry: Entry;
  readonly bytes: number;
}

/**
 * Batches concurrent entries of several runs into one call, and settles each separately. An entry that exceeds the
 * message size or cannot be encoded is refused here, without affecting others. A call that is refused as a whole is
 * sent again in halves, until the refusal belongs to a single entry. Rejects with the refusal of the entry; with
 * Unavailable, TimedOut and the like if there was no response.
 */
export const createEntryBatches = <Entry>(
  codec: EntryCodec<Entry>,
  send: (entries: Entry[]) => Promise<ListAnswer>,
): ((entry: Entry) => Promise<WriteOutcome>) => {
  const sendAll = async (entries: readonly Entry[]): Promise<(WriteOutcome | Error)[]> => {
    try {
      const answer = await send([...entries]);
      return entries.map((_, position) => outcomeOf(answer, position));
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      if (entries.length === 1 || !isRefusal(error)) return entries.map(() => failure);
      const half = Math.ceil(entries.length / 2);
      return [...(await sendAll(entries.slice(0, half))), ...(await sendAll(entries.slice(half)))];
    }
  };
  const batched = createBatcher<Weighed<Entry>, WriteOutcome>({
    maxBatch: MAX_ENTRIES,
    concurrency: 2,
    maxQueued: 10_000,
    weight: { of: ({ bytes }) => bytes, max: BATCH_BYTES },
    flush: (weighed) => sendAll(weighed.map(({ entry }) => entry)),
  });
  return async (entry) => {
    const bytes = codec.encode(entry).finish().length;
    if (bytes > LIMITS.entry.max) throw new LimitExceeded(LIMITS.entry, bytes);
    return batched({ entry, bytes });
  };
};

/** The outcome of a call about one run. @throws ServiceError for an unknown outcome, which is not a response */
export const toOutcome = (written: WireOutcome | undefined): WriteOutcome => {
  const outcome = outcomeOf({ outcomes: written === undefined ? [] : [written] }, 0);
  if (outcome instanceof Error) throw outcome instanceof ServiceError ? outcome : new Unavailable(outcome.message);
  return outcome;
};
