const MIB = 1024 * 1024;
const MB = 1_000_000;

/**
 * Peak memory of a request per byte of its body: the received parts, the body, its text, the parsed value, the JSON and
 * message created from it, and garbage of all of these. Verified by e2e/src/stories/tenants/body-memory.long.test.ts.
 */
const COPIES = 8;

/** Memory of a gateway under load without bodies, in bytes. */
const BASE_BYTES = 160 * MIB;

/** The largest body of one request always fits. */
const MIN_MB = 10;

/** Megabytes without a memory limit. */
const UNLIMITED_MB = 128;
/** A higher value is not a container limit but the maximum that cgroups can represent. */
const UNLIMITED_BYTES = 2 ** 50;

/**
 * Megabytes of bodies that a gateway may hold, so that their copies fit into the memory of its container.
 * @param limitBytes limit of the container, as reported by `process.constrainedMemory`; 0: none
 */
export const bodyBudgetMb = (limitBytes: number): number => {
  if (limitBytes === 0 || limitBytes >= UNLIMITED_BYTES) return UNLIMITED_MB;
  const fitting = Math.floor((limitBytes - BASE_BYTES) / COPIES / MB);
  return Math.min(UNLIMITED_MB, Math.max(MIN_MB, fitting));
};
