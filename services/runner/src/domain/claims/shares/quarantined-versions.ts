import { createTimedMarks } from './timed-marks';

/**
 * Workflow versions whose runs have killed the processes in which they were isolated. Their runs are executed where
 * they can harm only each other.
 */
export interface QuarantinedVersions {
  /** Records a version reported by the executions service, which repeats the report as long as it holds. */
  readonly learn: (versionId: string) => void;
  readonly has: (versionId: string) => boolean;
}

/** Milliseconds for which a version stays in quarantine after its last report: that service may be unavailable. */
const QUARANTINED_MS = 600_000;
const MAX_VERSIONS = 1_000;

/** @param clock monotonic milliseconds */
export const createQuarantinedVersions = (clock: () => number): QuarantinedVersions => {
  const { mark, has } = createTimedMarks(clock, QUARANTINED_MS, MAX_VERSIONS);
  return { learn: mark, has };
};
