import { createStore, type Store } from '../ui/store';

/** The session of the tab keeps it; signing out erases it. */
const KEY = 'weft-project';

const kept = createStore<string | undefined>(sessionStorage.getItem(KEY) ?? undefined);

/** The project or user whose things the lists show first; undefined: all. */
export const currentProject: Store<string | undefined> = {
  ...kept,
  set: (id) => {
    if (id === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, id);
    kept.set(id);
  },
};

const FILTERED = ['/workflows', '/executions', '/credentials', '/variables', '/tables'] as const;

/** True for lists that can be filtered by project. */
export const isFiltered = (path: string): path is (typeof FILTERED)[number] =>
  FILTERED.some((filtered) => filtered === path);
