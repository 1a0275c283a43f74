import type { ObjectEvent, Outcome } from './facts';
import { Failed, type Failure } from './failures';
import type { Metadata } from './objects';

/** One step of a reconciliation: it adds a fact, or ends the reconciliation. */
export type Step<Facts, Status> = { readonly facts: Facts } | { readonly outcome: Outcome<Status> };

/** How the steps of one kind of object are taken. */
export interface Steps<Facts, Status> {
  /** More steps than any reconciliation needs. */
  readonly most: number;
  readonly now: () => number;
  readonly take: (facts: Facts) => Promise<Step<Facts, Status>>;
  readonly afterFailure: (facts: Facts, failure: Failure) => Facts;
  readonly writeStatus: (metadata: Metadata, status: Status) => Promise<void>;
  readonly recordEvent: (metadata: Metadata, event: ObjectEvent) => void;
}

/** Takes steps to the end, whose status and event it writes. @throws Error if the API server fails */
export const takeSteps = async <Facts extends { readonly now: number }, Status>(
  metadata: Metadata,
  first: Facts,
  { most, now, take, afterFailure, writeStatus, recordEvent }: Steps<Facts, Status>,
): Promise<Outcome<Status>> => {
  let facts = first;
  for (let step = 0; step < most; step += 1) {
    try {
      const taken = await take(facts);
      if ('outcome' in taken) {
        const { outcome } = taken;
        if (outcome.status !== undefined) await writeStatus(metadata, outcome.status);
        if (outcome.event !== undefined) recordEvent(metadata, outcome.event);
        return outcome;
      }
      facts = { ...taken.facts, now: now() };
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      facts = { ...afterFailure(facts, error.failure), now: now() };
    }
  }
  throw new Error(`${metadata.namespace}/${metadata.name} needs more than ${most} steps.`);
};
