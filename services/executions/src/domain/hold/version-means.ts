/** Versions of which a replica remembers what their runs were like. */
export const MAX_KNOWN_VERSIONS = 5_000;

/** Weight of the last run in a mean. */
const WEIGHT = 0.2;

/** The mean of what was known and the last run, in milliseconds. @param known undefined: it is the first */
export const meanWith = (ms: number, known: number | undefined): number =>
  known === undefined ? ms : known + (ms - known) * WEIGHT;
