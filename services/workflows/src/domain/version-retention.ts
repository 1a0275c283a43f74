import { KEPT_MS } from './deliveries/store-delivery';

const HOUR_MS = 3_600_000;

/**
 * For how long a version stays after it was stored, or was the current one, at least: kept calls of webhooks are
 * delivered with the version that they came for.
 */
export const RETIRED_KEPT_MS = KEPT_MS + 24 * HOUR_MS;

/** For how long a definition that came with a start stays after it was used, at least. */
export const GIVEN_KEPT_MS = 24 * HOUR_MS;

/** A use of a definition that came with a start is noted at most this often. */
export const USE_NOTED_MS = HOUR_MS;

/**
 * When a version that is needed is reviewed again, and for how long one stays that is read although nothing needed it.
 */
export const NEEDED_REVIEW_MS = 24 * HOUR_MS;

/** Between the first and the second review that find a version unused; the second one removes it. */
export const UNUSED_REVIEW_MS = HOUR_MS;

/** A time so many milliseconds from now. */
export const fromNow = (ms: number): Date => new Date(Date.now() + ms);
