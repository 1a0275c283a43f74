import { setTimeout as sleep } from 'node:timers/promises';
import type { Workflow } from './workflow';

/**
 * Milliseconds for which a gateway may use a resolved address again, counted from sending its question (decision 0045).
 * A constant: replicas that wait for a shorter time than others lease would break the promise.
 */
export const ROUTE_LEASE_MS = 250;

/** Waits until every gateway asks anew whom a route belongs to: runs begin with the owner that it is told. */
export const untilAskedAnew = (): Promise<void> => sleep(ROUTE_LEASE_MS);

/** By how much the clocks of two replicas may differ for a release by one of them to be seen as recent by the other. */
const CLOCK_MARGIN_MS = 15_000;

/** The workflow after a change, with the time at which it released routes, if it did. */
export const withRelease = (seen: Workflow, next: Workflow, now: Date): Workflow =>
  (seen.activation?.routes.length ?? 0) > 0 && next.activation?.id !== seen.activation?.id
    ? { ...next, routesReleasedAt: now }
    : next;

/**
 * Waits until no gateway can hold a lease of a route that the workflow has released, by this change or by one that
 * another replica may not have answered yet.
 */
export const untilLeasesEnd = async ({ routesReleasedAt }: Workflow): Promise<void> => {
  if (routesReleasedAt === undefined) return;
  if (Math.abs(Date.now() - routesReleasedAt.getTime()) < CLOCK_MARGIN_MS) await sleep(ROUTE_LEASE_MS);
};
