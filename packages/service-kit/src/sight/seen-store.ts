import type { ReadOwned } from '../paging';
import { demandSight, type Sight } from './sight';

/** Marks stores limited by `seen`. */
export const SEEN: unique symbol = Symbol('seen');

/**
 * A store, or a part of one, limited to what its caller may see. Use cases of users require this type, so that none of
 * them gets the unlimited store by mistake.
 */
export type Seen<Store> = Store & { readonly [SEEN]: true };

/** Declares that a store is limited to what its caller may see. For the modules that limit stores, and for tests. */
export const seen = <Store extends object>(store: Store): Seen<Store> => ({ ...store, [SEEN]: true });

/** Leaves hidden entries out of a list page; the page of a hidden owner is empty. */
export const seenPages =
  <Item>(read: ReadOwned<Item>, { hidden, sees }: Pick<Sight, 'hidden' | 'sees'>): ReadOwned<Item> =>
  async (afterId, limit, ownerId) => {
    if (ownerId === undefined) return read(afterId, limit, undefined, hidden);
    return sees(ownerId) ? read(afterId, limit, ownerId) : [];
  };

/** Refuses to read a single hidden entry. */
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
