import { createSharedReads } from '../batching';

/** The closed projects of an instance. */
export interface ClosedProjects {
  /** Names this state of them: another one has another name. */
  readonly version: string;
  readonly ids: ReadonlySet<string>;
}

/** Asks which projects are closed; undefined: those of the version that is known. @throws Unavailable */
export type AskClosedProjects = (knownVersion: string) => Promise<ClosedProjects | undefined>;

/**
 * Milliseconds for which a process may go by what it was answered, counted from before it asked. Whoever closes a
 * project waits so long after it is stored before saying so: by then nobody goes by an answer from before.
 */
export const CLOSED_PROJECTS_LEASE_MS = 2_000;

/** Interval at which a process asks anew, so that its calls need not wait for an answer. */
export const CLOSED_PROJECTS_RENEWAL_MS = 600;

/** Milliseconds after the last use of the copy until it is no longer renewed: the next use asks first. */
const UNUSED_MS = 60_000;

/** Which projects are closed, as this process may take it now. */
export interface LeasedClosedProjects {
  /** At once while the lease holds; else it asks first. @throws Unavailable */
  readonly current: () => ClosedProjects | Promise<ClosedProjects>;
  /** Asks now. @throws Unavailable */
  readonly renew: () => Promise<ClosedProjects>;
  /** True if the copy was used within the last minute. */
  readonly isUsed: () => boolean;
}

interface Copy {
  readonly projects: ClosedProjects;
  readonly askedAt: number;
}

/**
 * Holds a copy under a lease. No copy is used beyond it, not even while nobody can be asked: what may have been closed
 * meanwhile is not shown.
 * @param onUsed called when it is used again after a minute
 * @param monotonic milliseconds that only grow
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
