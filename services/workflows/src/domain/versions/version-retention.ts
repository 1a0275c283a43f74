import { DELIVERY_RETENTION_MS } from '../deliveries/store-delivery';

const HOUR_MS = 3_600_000;

/**
 * Minimum retention of a version after it was stored or stopped being current: stored webhook calls are delivered with
 * the version they were received for.
 */
export const RETIRED_RETENTION_MS = DELIVERY_RETENTION_MS + 24 * HOUR_MS;

/** Minimum retention of an inline definition after its last use. */
export const INLINE_RETENTION_MS = 24 * HOUR_MS;

/** Minimum interval between two recorded uses of an inline definition. */
export const USE_RECORD_MS = HOUR_MS;

/** Time to the next review of a version that is needed, or that was read while it was unused. */
export const NEEDED_REVIEW_MS = 24 * HOUR_MS;

/** Time between the two reviews that find a version unused; the second one removes it. */
export const UNUSED_REVIEW_MS = HOUR_MS;

/** The time `ms` milliseconds from now. */
export const fromNow = (ms: number): Date => new Date(Date.now() + ms);
