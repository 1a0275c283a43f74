import { createStore } from '../../../ui/store';

/** The part of an open node's data that is shown. */
export interface Selection {
  readonly node: string;
  /** Run of the node; undefined: the last one. */
  readonly run: number | undefined;
  /** Number of the input item that previews show, from 0. */
  readonly item: number;
}

/** The selection of the node whose form is open; forms and data show the same item. */
export const selection = createStore<Selection>({ node: '', run: undefined, item: 0 });

/** The selection of a node: the first item of its last run if nothing is chosen. */
export const selectionOf = (current: Selection, node: string): Selection =>
  current.node === node ? current : { node, run: undefined, item: 0 };
