import { setTimeout as sleep } from 'node:timers/promises';
import type { Workflow } from './workflow';

/**
 * Milliseconds for which a gateway may reuse a resolved address, counted from sending the request (decision 0045). A
 * constant: replicas that wait for less than the lease of others would break the guarantee.
 */
export const ROUTE_LEASE_MS = 250;

/** Waits until every gateway resolves routes again: runs belong to the owner it is given. */
export const untilAskedAnew = (): Promise<void> => sleep(ROUTE_LEASE_MS);

/** Maximum clock difference of two replicas at which each still recognizes the other's release as recent. */
const CLOCK_MARGIN_MS = 15_000;

/** The workflow after a change, with the time of release if the change released routes. */
export const withRelease = (seen: Workflow, next: Workflow, now: Date): Workflow =>
  (seen.activation?.routes.length ?? 0) > 0 && next.activation?.id !== seen.activation?.id
    ? { ...next, routesReleasedAt: now }
    : next;

/**
 * Waits until no gateway can hold a lease on a route released by this change, or by one that another replica may not
 * have completed yet.
 */
export const untilLeasesEnd = async ({ routesReleasedAt }: Workflow): Promise<void> => {
  if (routesReleasedAt === undefined) return;
  if (Math.abs(Date.now() - routesReleasedAt.getTime()) < CLOCK_MARGIN_MS) await sleep(ROUTE_LEASE_MS);
};
