import type { WorkflowStore } from '../ports';
import { NEEDED_REVIEW_MS, UNUSED_REVIEW_MS } from './version-retention';

/** A version due for review. */
export interface ReviewedVersion {
  readonly id: string;
  readonly workflowId: string;
  /** Used by compare-and-set: any use of the version changes it. */
  readonly reviewAt: Date;
  /** True if it was unused at its last review. */
  readonly wasUnused: boolean;
}

/** Outcome of a review. */
export interface VersionOutcome {
  readonly seen: ReviewedVersion;
  readonly outcome:
    /** It is the current version of its workflow, and not reviewed again until it is replaced. */
    | { readonly kind: 'current' }
    | { readonly kind: 'needed'; readonly reviewAt: Date }
    | { readonly kind: 'unused'; readonly now: Date; readonly reviewAt: Date }
    | { readonly kind: 'remove' };
}

/** Store of reviews. Every method throws Unavailable if the database cannot be reached. */
export interface VersionReviews {
  /** Versions whose review is due, the longest due first, at most `limit`. */
  readonly due: (now: Date, limit: number) => Promise<readonly ReviewedVersion[]>;
  /** Applies each outcome only if its version is unchanged. @returns how many were removed */
  readonly complete: (outcomes: readonly VersionOutcome[]) => Promise<number>;
}

/** Ids of the versions that executions refer to. @throws Unavailable */
export type FindReferenced = (versions: readonly ReviewedVersion[]) => Promise<ReadonlySet<string>>;

export interface CollectVersionsDeps {
  readonly reviews: VersionReviews;
  readonly workflows: Pick<WorkflowStore, 'findHeads'>;
  readonly findReferenced: FindReferenced;
  readonly clock: () => number;
  /** Called with the number of versions removed per page, if any. */
  readonly onRemoved: (count: number) => void;
}

/** Versions per query. */
const PAGE = 100;
/** Maximum pages per tick. */
const MAX_PAGES = 10;

/**
 * Removes versions that are neither current nor needed by an execution. A version is removed only if two consecutive
 * reviews found it unused and no start used it in between; while the executions service is unreachable, none is
 * removed.
 * @returns one tick: true if there may be more to do now
 */
export const createCollectVersions = ({
  reviews,
  workflows,
  findReferenced,
  clock,
  onRemoved,
}: CollectVersionsDeps): (() => Promise<boolean>) => {
  const outcomeOf = (seen: ReviewedVersion, isNeeded: boolean, now: number): VersionOutcome => {
    if (isNeeded) return { seen, outcome: { kind: 'needed', reviewAt: new Date(now + NEEDED_REVIEW_MS) } };
    if (!seen.wasUnused)
      return { seen, outcome: { kind: 'unused', now: new Date(now), reviewAt: new Date(now + UNUSED_REVIEW_MS) } };
    return { seen, outcome: { kind: 'remove' } };
  };
  const reviewPage = async (due: readonly ReviewedVersion[], now: number): Promise<void> => {
    const heads = await workflows.findHeads([...new Set(due.map(({ workflowId }) => workflowId))]);
    const current = new Set(heads.map(({ versionId }) => versionId));
    const others = due.filter(({ id }) => !current.has(id));
    const referenced = others.length === 0 ? new Set<string>() : await findReferenced(others);
    const removed = await reviews.complete(
      due.map((seen) =>
        current.has(seen.id) ? { seen, outcome: { kind: 'current' } } : outcomeOf(seen, referenced.has(seen.id), now),
      ),
    );
    if (removed > 0) onRemoved(removed);
  };
  return async function collectVersions() {
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const now = clock();
      const due = await reviews.due(new Date(now), PAGE);
      if (due.length > 0) await reviewPage(due, now);
      if (due.length < PAGE) return false;
    }
    return true;
  };
};
