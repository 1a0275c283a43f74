import { createSharedReads } from '../batching';

export interface ClosedProjects {
  /** Identifies this state; it changes whenever the list changes. */
  readonly version: string;
  readonly ids: ReadonlySet<string>;
}

/** Returns the closed projects, or undefined if `knownVersion` is current. @throws Unavailable */
export type AskClosedProjects = (knownVersion: string) => Promise<ClosedProjects | undefined>;

/**
 * Milliseconds for which a process may use a response, counted from before its request. Closing a project waits this
 * long after storing it before it reports success: by then no process uses an older response.
 */
export const CLOSED_PROJECTS_LEASE_MS = 2_000;

/** Interval at which a process renews its copy, so that calls need not wait for a response. */
export const CLOSED_PROJECTS_RENEWAL_MS = 600;

/** Milliseconds after the last use until the copy is no longer renewed. The next use fetches first. */
const UNUSED_MS = 60_000;

/** The closed projects under a lease. */
export interface LeasedClosedProjects {
  /** Returns immediately while the lease holds, otherwise fetches first. @throws Unavailable */
  readonly current: () => ClosedProjects | Promise<ClosedProjects>;
  /** Fetches now. @throws Unavailable */
  readonly renew: () => Promise<ClosedProjects>;
  /** True if the copy was used within the last minute. */
  readonly isUsed: () => boolean;
}

interface Copy {
  readonly projects: ClosedProjects;
  readonly askedAt: number;
}

/**
 * Holds a copy under a lease. The copy is never used beyond it, even while the source is unavailable, so that projects
 * closed meanwhile are not shown.
 * @param onUsed called when it is used again after a minute
 * @param monotonic monotonic milliseconds
 */
export const leaseClosedProjects = (
  ask: AskClosedProjects,
  onUsed: () => void = () => undefined,
  monotonic: () => number = () => performance.now(),
): LeasedClosedProjects => {
  let copy: Copy | undefined;
  let usedAt = Number.NEGATIVE_INFINITY;
  const share = createSharedReads<ClosedProjects>();
  const isUsed = (): boolean => monotonic() - usedAt < UNUSED_MS;
  const renew = (): Promise<ClosedProjects> =>
    share('', async () => {
      const known = copy?.projects;
      const askedAt = monotonic();
      const projects = (await ask(known?.version ?? '')) ?? known;
      if (projects === undefined) throw new Error('Asked about no version, the closed projects are not unchanged.');
      if (copy === undefined || copy.askedAt < askedAt) copy = { projects, askedAt };
      return projects;
    });
  return {
    renew,
    isUsed,
    current: () => {
      const wasUsed = isUsed();
      usedAt = monotonic();
      if (!wasUsed) onUsed();
      return copy !== undefined && usedAt < copy.askedAt + CLOSED_PROJECTS_LEASE_MS ? copy.projects : renew();
    },
  };
};
