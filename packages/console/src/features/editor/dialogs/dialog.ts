import type { LinkRef } from '@weft/workflow-edit';

/** Where a new node goes. */
export interface PaletteAnchor {
  /** The output that it is connected to. */
  readonly from?: { readonly node: string; readonly output: number; readonly type?: string } | undefined;
  /** The input that it is connected to; of another type than `main`, the node is added as a sub-node. */
  readonly to?: { readonly node: string; readonly input: number; readonly type?: string } | undefined;
  /** The link that it is inserted into. */
  readonly link?: LinkRef | undefined;
  /** Its position in the definition; absent: next to the node that it is connected to. */
  readonly at?: readonly [number, number] | undefined;
}

/** A question of the editor. */
export type EditorDialog =
  | { readonly kind: 'rename' | 'links' | 'move'; readonly node: string }
  | { readonly kind: 'palette'; readonly anchor: PaletteAnchor };
