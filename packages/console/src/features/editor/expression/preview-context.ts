import type { PreviewPlace, PreviewSession } from '@weft/engine/preview/session';
import type { Json } from '@weft/node-catalogue/definitions';
import { createContext } from 'react';

/** Previews of the expressions of one node. */
export interface Preview {
  readonly session: PreviewSession;
  /** Where the expressions are evaluated; undefined while the data of the execution is loaded. */
  readonly place: PreviewPlace | undefined;
  /** False while the node has no input item. */
  readonly hasItem: boolean;
  /** Changes whenever values may have changed. */
  readonly revision: number;
  /** The last value of the expression of a field; undefined if it is not known as a whole. */
  readonly valueOf: (key: string) => Json | undefined;
  readonly remember: (key: string, value: Json | undefined) => void;
}

export const PreviewContext = createContext<Preview | undefined>(undefined);
