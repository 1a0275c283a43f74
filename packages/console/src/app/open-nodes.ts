import { createStore } from '../ui/store';

/** The nodes of the workflow in the editor. */
export interface OpenNodes {
  readonly names: readonly string[];
  readonly open: (name: string) => void;
}

/** Undefined outside of the editor. */
export const openNodes = createStore<OpenNodes | undefined>(undefined);
