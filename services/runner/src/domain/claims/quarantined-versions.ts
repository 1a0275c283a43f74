import { createTimedMarks } from './timed-marks';

/**
 * Versions of workflows of which a run has killed the processes in which it was alone. Their runs are executed where
 * they can harm each other, and nobody else.
 */
export interface QuarantinedVersions {
  /** Notes what the executions service has said about a version. It says so again as long as it holds. */
  readonly learn: (versionId: string) => void;
  readonly has: (versionId: string) => boolean;
}

/** Milliseconds for which a version stays in quarantine after it was last told of: that service may be away. */
const QUARANTINED_MS = 600_000;
const MAX_VERSIONS = 1_000;

/** @param clock milliseconds that only grow */
export const createQuarantinedVersions = (clock: () => number): QuarantinedVersions => {
  const { mark, has } = createTimedMarks(clock, QUARANTINED_MS, MAX_VERSIONS);
  return { learn: mark, has };
};
