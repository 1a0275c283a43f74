import { readPage } from '@weft/service-kit/paging';
import type { Variable, VariableStore } from './variable';

/** One page. */
export interface VariablePage {
  readonly variables: readonly Variable[];
  /** Empty on the last page. */
  readonly nextCursor: string;
}

/** Pages through variables, newest first. @throws InvalidRequest for a limit above 100 or a cursor of other making. */
export type ListVariables = (limit: number, cursor: string) => Promise<VariablePage>;

/** Pages by keyset, over the ids. */
export const createListVariables =
  (store: Pick<VariableStore, 'page'>): ListVariables =>
  async (limit, cursor) => {
    const { items, nextCursor } = await readPage({ read: store.page, idOf: ({ id }) => id }, { limit, cursor });
    return { variables: items, nextCursor };
  };
