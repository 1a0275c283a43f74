import type { Principal } from '../auth';
import { createBoundedCache } from '../caching';
import { Forbidden } from '../errors';
import type { ClosedProjects, LeasedClosedProjects } from './closed-projects';

/** Visibility scope: which owners' objects a caller can see. */
export interface VisibilityScope {
  /** Equal for callers with the same scope, and different otherwise. */
  readonly name: string;
  /** Owners whose objects are hidden; empty: everything is visible. */
  readonly hidden: readonly string[];
  readonly sees: (ownerId: string) => boolean;
  /** Why the rest is hidden. */
  readonly refusal: string;
}

/** Scope of services, owners and admins, and of everyone while no project is closed. */
export const SEES_ALL: VisibilityScope = { name: '', hidden: [], sees: () => true, refusal: '' };

const NOT_A_MEMBER =
  'This belongs to a closed project. Only its members, and owners and admins of this instance, may read it.';

/** Everything a run reads ends up in its run data, which everyone who may see the run's owner can read. */
const NOT_ITS_RUN = 'This belongs to a closed project. Of all runs, only those of its own workflows may read it.';

/** Determines the visibility scope of callers from the closed projects. */
export interface VisibilityScopes {
  /** Scope of a user; undefined: of a service, which sees everything. @throws Unavailable */
  readonly ofUser: (principal: Principal | undefined) => Promise<VisibilityScope>;
  /** Scope of a run whose workflow belongs to this user or project. @throws Unavailable */
  readonly ofRun: (ownerId: string) => Promise<VisibilityScope>;
}

/** Scopes are cached by combination of projects; at most this many combinations are in use at a time. */
const MAX_SCOPES = 500;

const isManager = ({ role, inRun }: Principal): boolean => inRun !== true && (role === 'owner' || role === 'admin');

/** Owners whose objects a user sees even if they are closed. */
const ownersOf = ({ userId, projects = [], reads = [], inRun }: Principal): readonly string[] =>
  inRun === true ? [userId] : [userId, ...projects, ...reads];

/** Creates the lookup. It makes no call while the lease holds. */
export const createVisibilityScopes = ({ current }: Pick<LeasedClosedProjects, 'current'>): VisibilityScopes => {
  let made = 0;
  const caches = new WeakMap<ClosedProjects, ReturnType<typeof createBoundedCache<string, VisibilityScope>>>();
  const cacheOf = (closed: ClosedProjects) => {
    const cache = caches.get(closed) ?? createBoundedCache<string, VisibilityScope>({ maxEntries: MAX_SCOPES });
    caches.set(closed, cache);
    return cache;
  };
  const scopeWith = (closed: ClosedProjects, owners: readonly string[], refusal: string): VisibilityScope => {
    const visible = new Set(owners.filter((id) => closed.ids.has(id)));
    const cache = cacheOf(closed);
    const key = [refusal, ...[...visible].sort()].join(' ');
    const known = cache.get(key);
    if (known !== undefined) return known;
    made += 1;
    const scope: VisibilityScope = {
      name: `${made}`,
      hidden: [...closed.ids].filter((id) => !visible.has(id)),
      sees: (ownerId) => !closed.ids.has(ownerId) || visible.has(ownerId),
      refusal,
    };
    cache.set(key, scope);
    return scope;
  };
  return {
    ofUser: async (principal) => {
      if (principal === undefined || isManager(principal)) return SEES_ALL;
      const closed = await current();
      if (closed.ids.size === 0) return SEES_ALL;
      return scopeWith(closed, ownersOf(principal), principal.inRun === true ? NOT_ITS_RUN : NOT_A_MEMBER);
    },
    ofRun: async (ownerId) => {
      const closed = await current();
      return closed.ids.size === 0 ? SEES_ALL : scopeWith(closed, [ownerId], NOT_ITS_RUN);
    },
  };
};

/**
 * Refuses objects hidden from a caller with 403, as the contract requires for resources that a user may not use: ids
 * are not secret, and a 404 would claim that the object does not exist.
 * @param details that name the object
 * @throws Forbidden
 */
export const requireVisible = (
  { sees, refusal }: Pick<VisibilityScope, 'sees' | 'refusal'>,
  ownerId: string,
  details: Readonly<Record<string, string>>,
): void => {
  if (!sees(ownerId)) throw new Forbidden(refusal, details);
};
