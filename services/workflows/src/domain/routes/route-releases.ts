import { uuidv7 } from '@weft/service-kit/ids';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowStore } from '../ports';
import type { Workflow } from '../workflows/workflow';

/**
 * Milliseconds for which a gateway may reuse a resolved address, counted from sending the request (decision 0045). A
 * constant: replicas that wait for less than the lease of others would break the guarantee.
 */
export const ROUTE_LEASE_MS = 250;

/**
 * Minimum milliseconds for which a release is listed, so that a gateway whose previous answer is more recent than this
 * has missed none.
 */
export const RELEASE_LISTED_MS = 10_000;

/** More releases than this are listed as incomplete: gateways then reuse nothing. */
const MAX_RELEASES = 1_000;

/** A change after which earlier results for the addresses of a workflow are outdated. */
export interface RouteRelease {
  readonly workflowId: string;
  /** Differs for every such change of a workflow. */
  readonly id: string;
}

/** The releases that gateways may not have seen yet. */
export interface ListedReleases {
  readonly releases: readonly RouteRelease[];
  readonly isComplete: boolean;
}

/** Waits until no gateway reuses what it resolved before a release that is stored now. */
export const untilLeasesEnd = (): Promise<void> => sleep(ROUTE_LEASE_MS);

/** The workflow after a change; a change that releases routes marks it in the same write. */
export const withRelease = (seen: Workflow, next: Workflow): Workflow =>
  (seen.activation?.routes.length ?? 0) > 0 && next.activation?.id !== seen.activation?.id
    ? { ...next, routesRelease: uuidv7() }
    : next;

/**
 * Lists releases, read from the store after the call. A release that this process has seen for long enough is removed
 * from its workflow, whichever process stored it.
 * @param now monotonic milliseconds
 */
export const createListReleases = (
  store: Pick<WorkflowStore, 'findReleases' | 'endReleases'>,
  now: () => number = () => performance.now(),
): (() => Promise<ListedReleases>) => {
  /** Times at which the current releases were first read, by id. */
  let firstSeen: ReadonlyMap<string, number> = new Map();

  return async function listReleases() {
    const releases = await store.findReleases(MAX_RELEASES + 1);
    const at = now();
    firstSeen = new Map(releases.map(({ id }) => [id, firstSeen.get(id) ?? at]));
    const over = [...firstSeen].flatMap(([id, since]) => (at - since < RELEASE_LISTED_MS ? [] : [id]));
    if (over.length > 0) await store.endReleases(over);
    return releases.length > MAX_RELEASES ? { releases: [], isComplete: false } : { releases, isComplete: true };
  };
};
