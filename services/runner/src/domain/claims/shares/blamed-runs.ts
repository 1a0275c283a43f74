import { isObject } from '@weft/service-kit/json';
import { type ClaimedExecution, ownerKeyOf } from '../claimed-execution';

/** A version one of whose runs ended its process. */
export interface BlamedVersion {
  readonly versionId: string;
  readonly ownerKey: string;
  /** Milliseconds, by a clock that all programs of this machine share. */
  readonly lastAt: number;
  /** When one of its runs last ended a process with runs of other owners; absent: never. */
  readonly sharedAt?: number;
}

/** Runs that were blamed for the end of their process, and what follows for others of their versions and owners. */
export interface BlamedRuns {
  /** @param isShared the process had runs of other owners, too */
  readonly add: (run: { readonly versionId: string; readonly ownerKey: string }, isShared: boolean) => void;
  /** Whether an execution must run where it can only harm others of this kind. */
  readonly isApart: (claimed: Pick<ClaimedExecution, 'versionId' | 'ownerId' | 'workflowId'>) => boolean;
  /** For the next program of this process. */
  readonly all: () => readonly BlamedVersion[];
}

/** Milliseconds for which a version, or an owner, is kept apart after the last run that was blamed. */
export const APART_MS = 600_000;
/**
 * Versions of one owner, blamed in shared processes within that time, from which all runs of the owner are kept apart:
 * an owner can always store another version.
 */
export const MAX_VERSIONS = 3;
/** Versions that are remembered; beyond that, the earliest are forgotten. */
const MAX_REMEMBERED = 500;

/**
 * @param clock monotonic milliseconds, the same for all programs of this machine
 * @param known blamed before this program replaced another
 */
export const createBlamedRuns = (clock: () => number, known: readonly BlamedVersion[] = []): BlamedRuns => {
  const versions = new Map(known.map((one) => [one.versionId, one]));
  const isRecent = (at: number | undefined): boolean => at !== undefined && clock() - at < APART_MS;
  const isOwnerApart = (ownerKey: string): boolean => {
    const theirs = [...versions.values()].filter((one) => one.ownerKey === ownerKey && isRecent(one.lastAt));
    return theirs.filter(({ sharedAt }) => sharedAt !== undefined).length >= MAX_VERSIONS;
  };
  return {
    add: ({ versionId, ownerKey }, isShared) => {
      const now = clock();
      const sharedAt = isShared ? now : versions.get(versionId)?.sharedAt;
      // While an owner is kept apart, each further blame prolongs that.
      if (isOwnerApart(ownerKey))
        for (const one of versions.values())
          if (one.ownerKey === ownerKey && isRecent(one.lastAt)) versions.set(one.versionId, { ...one, lastAt: now });
      versions.delete(versionId);
      versions.set(versionId, { versionId, ownerKey, lastAt: now, ...(sharedAt === undefined ? {} : { sharedAt }) });
      const [earliest] = versions.keys();
      if (versions.size > MAX_REMEMBERED && earliest !== undefined) versions.delete(earliest);
    },
    isApart: (claimed) =>
      versions.size > 0 && (isRecent(versions.get(claimed.versionId)?.lastAt) || isOwnerApart(ownerKeyOf(claimed))),
    all: () => [...versions.values()],
  };
};

/** Parses {@link BlamedRuns.all}, without entries that are not valid. */
export const readBlamedVersions = (value: unknown): readonly BlamedVersion[] =>
  (Array.isArray(value) ? value : []).flatMap((one: unknown): BlamedVersion[] => {
    if (!isObject(one)) return [];
    const { versionId, ownerKey, lastAt, sharedAt } = one;
    if (typeof versionId !== 'string' || typeof ownerKey !== 'string' || typeof lastAt !== 'number') return [];
    return [{ versionId, ownerKey, lastAt, ...(typeof sharedAt === 'number' ? { sharedAt } : {}) }];
  });
