import { isJsonObject, type Json } from '@weft/node-catalogue';
import type { PreparedStep } from '../prepare-request';
import { type ItemTarget, type Progress, runItemSteps } from '../steps/run-item-steps';
import type { StoredFiles } from '../steps/store-file';

/** An entry of a list that may start a run. */
export interface Candidate {
  readonly key: string;
  /** Its time in Unix milliseconds, if the list has it; not a number: unknown. */
  readonly at?: number;
  readonly target: ItemTarget;
  /** Files of the mail that its steps have read. */
  readonly files: StoredFiles;
}

/**
 * Sends the requests for an entry. They see the responses to the requests before the list.
 * @throws NodeFailure if one of them fails, LongDelay if the service asks for a long delay
 */
export async function completeEntry(each: readonly PreparedStep[], candidate: Candidate): Promise<Candidate> {
  if (each.length === 0) return candidate;
  const { target } = candidate;
  const earlier = target.scope.extra['$steps'];
  const progress: Progress = { steps: isJsonObject(earlier) ? { ...earlier } : {}, binary: {}, entryFiles: [] };
  const completed = await runItemSteps(each, target, progress);
  return { ...candidate, target: completed, files: { ...progress.binary, ...progress.entryFiles[0] } };
}

/** A candidate with the time of its entry. */
export interface TimedCandidate extends Candidate {
  /** Unix milliseconds; not a number: unknown. */
  readonly at: number;
}

/** Bounds of the entries that are completed. */
export interface Bounds {
  /** Unix milliseconds of the newest known entry. */
  readonly since: number;
  /** Unix milliseconds. */
  readonly now: number;
  /** Maximum number of new entries. */
  readonly max: number;
  /** Maximum number of entries, with those that turn out to be known. */
  readonly maxCompleted: number;
}

/**
 * Completes entries of a list that has the newest first, the oldest first, until enough are new.
 * @param timeOf time in Unix milliseconds of a completed entry that has none in the list
 */
export async function completeSince(
  each: readonly PreparedStep[],
  candidates: readonly Candidate[],
  timeOf: (target: ItemTarget) => Json | undefined,
  { since, now, max, maxCompleted }: Bounds,
): Promise<readonly TimedCandidate[]> {
  const completed: TimedCandidate[] = [];
  const isBounded = each.length > 0;
  let found = 0;
  for (const candidate of candidates.toReversed()) {
    if (isBounded && (found >= max || completed.length >= maxCompleted)) break;
    const one = await completeEntry(each, candidate);
    const at = one.at ?? Number(timeOf(one.target) ?? NaN);
    completed.push({ ...one, at });
    if (at >= since && at <= now) found += 1;
  }
  return completed.reverse();
}
