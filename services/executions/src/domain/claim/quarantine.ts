/**
 * Versions of workflows of which a run was given up after it had killed the processes in which it ran alone. Runners
 * execute their other runs apart from those of everybody else. A new version of the workflow is not in quarantine.
 */
export interface Quarantine {
  /** Adds a version, or prolongs its quarantine. @throws Unavailable */
  readonly add: (versionId: string, expireAt: Date) => Promise<void>;
  /** Versions in quarantine, those that were added last first. @throws Unavailable */
  readonly latest: (now: Date, most: number) => Promise<readonly string[]>;
}

/** Milliseconds of a quarantine, from the last run that was given up. */
export const QUARANTINE_MS = 86_400_000;
/** Versions that runners are told of; those that were added first are not told any more. */
export const MAX_QUARANTINED = 500;
