import type { NodeType } from '@weft/client';
import { type KindTable, readKind } from '@weft/node-catalogue/definitions';

const READ = new WeakMap<ReadonlyMap<string, NodeType>, KindTable>();

/** The node types of the API as descriptors; read once. */
export const descriptorsOf = (kinds: ReadonlyMap<string, NodeType>): KindTable => {
  const known = READ.get(kinds);
  if (known !== undefined) return known;
  const table = new Map(
    [...kinds.values()].flatMap((type) => {
      const kind = readKind(type);
      return kind === undefined ? [] : [[kind.kind, kind] as const];
    }),
  );
  READ.set(kinds, table);
  return table;
};
