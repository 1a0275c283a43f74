import { createStore } from '../ui/store';

/** The nodes of the workflow or execution that is open, for the search. */
export interface OpenNodes {
  readonly names: readonly string[];
  readonly open: (name: string) => void;
}

export const openNodes = createStore<OpenNodes | undefined>(undefined);
