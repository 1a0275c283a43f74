import type { ReadOwned } from '../paging';
import { demandSight, type Sight } from './sight';

/** Marks the stores that `seen` has made. */
export const SEEN: unique symbol = Symbol('seen');

/**
 * A store, or a part of one, that gives out nothing which its caller does not see. Use cases of users ask for it, so
 * that none of them gets the store itself by mistake.
 */
export type Seen<Store> = Store & { readonly [SEEN]: true };

/** Declares that a store gives out what is seen alone: it is for the modules that limit stores, and for tests. */
export const seen = <Store extends object>(store: Store): Seen<Store> => ({ ...store, [SEEN]: true });

/** A page of a list leaves out what is not seen; that of one owner who is not seen is empty. */
export const seenPages =
  <Item>(read: ReadOwned<Item>, { hidden, sees }: Pick<Sight, 'hidden' | 'sees'>): ReadOwned<Item> =>
  async (afterId, limit, ownerId) => {
    if (ownerId === undefined) return read(afterId, limit, undefined, hidden);
    return sees(ownerId) ? read(afterId, limit, ownerId) : [];
  };

/** A read of one thing refuses one that is not seen. */
export const seenOne =
  <Key, Item extends { readonly ownerId: string }>(
    read: (key: Key) => Promise<Item | undefined>,
    sight: Sight,
    detailsOf: (item: Item) => Readonly<Record<string, string>>,
  ): ((key: Key) => Promise<Item | undefined>) =>
  async (key) => {
    const found = await read(key);
    if (found !== undefined) demandSight(sight, found.ownerId, detailsOf(found));
    return found;
  };
