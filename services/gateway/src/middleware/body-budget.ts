const MIB = 1024 * 1024;
const MB = 1_000_000;

/**
 * Memory that a request takes at its peak for each byte of its body: the received parts, the body, its text, the parsed
 * value, the JSON and the message that are made of it, and garbage of all of them.
 * Held by e2e/src/stories/body-memory.long.test.ts.
 */
const COPIES = 8;

/** Memory of a gateway under load without bodies, in bytes. */
const BASE_BYTES = 160 * MIB;

/** Bodies of one request fit in any case. */
const MIN_MB = 10;

/** Without a limit of memory, in megabytes. */
const UNLIMITED_MB = 128;
/** More than this is no limit of a container but the size of what cgroups can count. */
const UNLIMITED_BYTES = 2 ** 50;

/**
 * Megabytes of bodies that a gateway may hold, so that their copies fit into the memory of its container.
 * @param limitBytes limit of the container, as `process.constrainedMemory` has it from the cgroup; 0: none
 */
export const bodyBudgetMb = (limitBytes: number): number => {
  if (limitBytes === 0 || limitBytes >= UNLIMITED_BYTES) return UNLIMITED_MB;
  const fitting = Math.floor((limitBytes - BASE_BYTES) / COPIES / MB);
  return Math.min(UNLIMITED_MB, Math.max(MIN_MB, fitting));
};
