import { Forbidden } from '@weft/service-kit/errors';
import { scoped, type Scoped, type VisibilityScope } from '@weft/service-kit/visibility';
import type { EventSubscription, SubscriptionStore } from './subscription';

/** Subscriptions visible to a caller. */
export type ScopedSubscriptions = Scoped<
  Pick<SubscriptionStore, 'page' | 'find' | 'count' | 'insert' | 'replace' | 'remove'>
>;

/**
 * A subscription for all owners shows ids of executions of closed projects: only callers who may see everything can see
 * it, like one of a closed project.
 */
export const scopedSubscriptions = (
  { page, find, count, insert, replace, remove }: SubscriptionStore,
  { hidden, sees, refusal }: VisibilityScope,
): ScopedSubscriptions => {
  const isVisible = ({ ownerId, allOwners }: EventSubscription): boolean =>
    sees(ownerId) && (!allOwners || hidden.length === 0);
  return scoped({
    page: async (afterId, limit, ownerId) => {
      return ownerId !== undefined && !sees(ownerId) ? [] : page(afterId, limit, ownerId, hidden);
    },
    find: async (id) => {
      const found = await find(id);
      if (found !== undefined && !isVisible(found)) throw new Forbidden(refusal, { subscriptionId: id });
      return found;
    },
    count,
    insert,
    replace,
    remove,
  });
};
