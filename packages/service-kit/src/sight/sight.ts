import type { Principal } from '../auth';
import { createBoundedCache } from '../caching';
import { Forbidden } from '../errors';
import type { ClosedProjects, LeasedClosedProjects } from './closed-projects';

/** What a caller sees of that which users and projects own. */
export interface Sight {
  /** Equal for those who see the same, and different for others. */
  readonly name: string;
  /** Owners of which it sees nothing; empty: it sees everything. */
  readonly hidden: readonly string[];
  readonly sees: (ownerId: string) => boolean;
  /** Why it does not see the rest. */
  readonly refusal: string;
}

/** Sees everything: services, owners and admins, and everybody while no project is closed. */
export const SEES_ALL: Sight = { name: '', hidden: [], sees: () => true, refusal: '' };

const NOT_A_MEMBER =
  'This belongs to a closed project. Only its members, and owners and admins of this instance, may read it.';

/** What a run reads stays in its run data, which those read who see the owner of the run. */
const NOT_ITS_RUN = 'This belongs to a closed project. Of all runs, only those of its own workflows may read it.';

/** Finds out what callers see, by the projects that are closed now. */
export interface Sights {
  /** Of a user; undefined: of a service, which sees everything. @throws Unavailable */
  readonly ofUser: (principal: Principal | undefined) => Promise<Sight>;
  /** Of a run, whose workflow belongs to this user or project. @throws Unavailable */
  readonly ofRun: (ownerId: string) => Promise<Sight>;
}

/** Sights are made once for each combination of projects: so many combinations are in use at a time. */
const MAX_SIGHTS = 500;

const isManager = ({ role, inRun }: Principal): boolean => inRun !== true && (role === 'owner' || role === 'admin');

/** Owners whose things a user sees even if they are closed. */
const ownersOf = ({ userId, projects = [], reads = [], inRun }: Principal): readonly string[] =>
  inRun === true ? [userId] : [userId, ...projects, ...reads];

/** Creates the lookup. While the lease holds, it asks nobody. */
export const createSights = ({ current }: Pick<LeasedClosedProjects, 'current'>): Sights => {
  let made = 0;
  const caches = new WeakMap<ClosedProjects, ReturnType<typeof createBoundedCache<string, Sight>>>();
  const cacheOf = (closed: ClosedProjects) => {
    const cache = caches.get(closed) ?? createBoundedCache<string, Sight>({ maxEntries: MAX_SIGHTS });
    caches.set(closed, cache);
    return cache;
  };
  const sightOf = (closed: ClosedProjects, owners: readonly string[], refusal: string): Sight => {
    const seen = new Set(owners.filter((id) => closed.ids.has(id)));
    const cache = cacheOf(closed);
    const key = [refusal, ...[...seen].sort()].join(' ');
    const known = cache.get(key);
    if (known !== undefined) return known;
    made += 1;
    const sight: Sight = {
      name: `${made}`,
      hidden: [...closed.ids].filter((id) => !seen.has(id)),
      sees: (ownerId) => !closed.ids.has(ownerId) || seen.has(ownerId),
      refusal,
    };
    cache.set(key, sight);
    return sight;
  };
  return {
    ofUser: async (principal) => {
      if (principal === undefined || isManager(principal)) return SEES_ALL;
      const closed = await current();
      if (closed.ids.size === 0) return SEES_ALL;
      return sightOf(closed, ownersOf(principal), principal.inRun === true ? NOT_ITS_RUN : NOT_A_MEMBER);
    },
    ofRun: async (ownerId) => {
      const closed = await current();
      return closed.ids.size === 0 ? SEES_ALL : sightOf(closed, [ownerId], NOT_ITS_RUN);
    },
  };
};

/**
 * Refuses what a caller does not see, as the contract says of a resource that a user may not use: its id is not secret,
 * and a 404 would say that it does not exist.
 * @param details that name it
 * @throws Forbidden
 */
export const demandSight = (
  { sees, refusal }: Pick<Sight, 'sees' | 'refusal'>,
  ownerId: string,
  details: Readonly<Record<string, string>>,
): void => {
  if (!sees(ownerId)) throw new Forbidden(refusal, details);
};
