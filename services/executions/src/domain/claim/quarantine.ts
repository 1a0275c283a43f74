/**
 * Workflow versions of which a run was abandoned after it had killed its isolated processes, or was blamed for the end
 * of a process. Runners execute further runs of these versions in separate processes. A new version of the workflow is
 * not in quarantine.
 */
export interface Quarantine {
  /** Adds a version, or extends its quarantine; never shortens it. @throws Unavailable */
  readonly add: (versionId: string, expireAt: Date) => Promise<void>;
  /** Versions in quarantine, the most recent first. @throws Unavailable */
  readonly latest: (now: Date, most: number) => Promise<readonly string[]>;
}

/** Milliseconds of a quarantine, from the last abandoned run, and from the last run that was only blamed. */
export const QUARANTINE_MS = { abandoned: 86_400_000, blamed: 600_000 } as const;
/** Maximum number of versions reported to runners; the oldest are dropped. */
export const MAX_QUARANTINED = 500;
