import type { ReadOwned } from '../paging';
import { requireVisible, type VisibilityScope } from './visibility-scope';

/** Marks stores limited by `scoped`. */
export const SCOPED: unique symbol = Symbol('scoped');

/**
 * A store, or a part of one, limited to what its caller may see. Use cases of users require this type, so that none of
 * them gets the unlimited store by mistake.
 */
export type Scoped<Store> = Store & { readonly [SCOPED]: true };

/** Declares that a store is limited to what its caller may see. For the modules that limit stores, and for tests. */
export const scoped = <Store extends object>(store: Store): Scoped<Store> => ({ ...store, [SCOPED]: true });

/** Leaves hidden entries out of a list page; the page of a hidden owner is empty. */
export const scopedPages =
  <Item>(read: ReadOwned<Item>, { hidden, sees }: Pick<VisibilityScope, 'hidden' | 'sees'>): ReadOwned<Item> =>
  async (afterId, limit, ownerId) => {
    if (ownerId === undefined) return read(afterId, limit, undefined, hidden);
    return sees(ownerId) ? read(afterId, limit, ownerId) : [];
  };

/** Refuses to read a single hidden entry. */
export const scopedOne =
  <Key, Item extends { readonly ownerId: string }>(
    read: (key: Key) => Promise<Item | undefined>,
    scope: VisibilityScope,
    detailsOf: (item: Item) => Readonly<Record<string, string>>,
  ): ((key: Key) => Promise<Item | undefined>) =>
  async (key) => {
    const found = await read(key);
    if (found !== undefined) requireVisible(scope, found.ownerId, detailsOf(found));
    return found;
  };
