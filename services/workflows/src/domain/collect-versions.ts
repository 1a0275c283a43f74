import type { WorkflowStore } from './ports';
import { NEEDED_REVIEW_MS, UNUSED_REVIEW_MS } from './version-retention';

/** A version that is to be reviewed. */
export interface ReviewedVersion {
  readonly id: string;
  readonly workflowId: string;
  /** The mark of compare-and-set: whoever uses the version meanwhile changes it. */
  readonly reviewAt: Date;
  /** Nothing needed it at its last review either. */
  readonly wasUnused: boolean;
}

/** What a review came to. */
export interface VersionOutcome {
  readonly seen: ReviewedVersion;
  readonly outcome:
    /** It is the current one of its workflow, and reviewed no more until it is replaced. */
    | { readonly kind: 'current' }
    | { readonly kind: 'needed'; readonly reviewAt: Date }
    | { readonly kind: 'unused'; readonly now: Date; readonly reviewAt: Date }
    | { readonly kind: 'remove' };
}

/** Where reviews of versions are remembered. Every method throws Unavailable if the store cannot be reached. */
export interface VersionReviews {
  /** Versions whose review is due, the longest due first, at most `limit`. */
  readonly due: (now: Date, limit: number) => Promise<readonly ReviewedVersion[]>;
  /** Each outcome holds only if its version is as it was seen. @returns how many were removed */
  readonly settle: (outcomes: readonly VersionOutcome[]) => Promise<number>;
}

/** Those of some versions that executions need. @throws Unavailable: nothing is known then */
export type FindReferred = (versions: readonly ReviewedVersion[]) => Promise<ReadonlySet<string>>;

/** What collecting needs. */
export interface CollectVersionsPorts {
  readonly reviews: VersionReviews;
  readonly workflows: Pick<WorkflowStore, 'findHeads'>;
  readonly findReferred: FindReferred;
  readonly clock: () => number;
  /** Told how many versions a page removed, if any. */
  readonly onRemoved: (count: number) => void;
}

/** Versions of one question. */
const PAGE = 100;
/** Pages of one turn. */
const MAX_PAGES = 10;

/**
 * Removes versions that are neither current nor needed by an execution. A version goes only if two reviews in a row
 * found it so and nobody used it in between; while the executions service cannot be asked, nothing goes.
 * @returns one turn: true if there may be more to do now.
 */
export const createCollectVersions = ({
  reviews,
  workflows,
  findReferred,
  clock,
  onRemoved,
}: CollectVersionsPorts): (() => Promise<boolean>) => {
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
    const referred = others.length === 0 ? new Set<string>() : await findReferred(others);
    const removed = await reviews.settle(
      due.map((seen) =>
        current.has(seen.id) ? { seen, outcome: { kind: 'current' } } : outcomeOf(seen, referred.has(seen.id), now),
      ),
    );
    if (removed > 0) onRemoved(removed);
  };
  return async () => {
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const now = clock();
      const due = await reviews.due(new Date(now), PAGE);
      if (due.length > 0) await reviewPage(due, now);
      if (due.length < PAGE) return false;
    }
    return true;
  };
};
