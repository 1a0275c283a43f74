import type { NodeType } from '@weft/client';
import { type KindTable, readKind, withToolVariants } from '@weft/node-catalogue/definitions';

const tables = new WeakMap<ReadonlyMap<string, NodeType>, KindTable>();

/** Node types of the API as descriptors, and their tools. The same table for the same types. */
export const kindTable = (types: ReadonlyMap<string, NodeType>): KindTable => {
  const known = tables.get(types);
  if (known !== undefined) return known;
  const kinds = [...types.values()].flatMap((type) => readKind(type) ?? []);
  const table = new Map(withToolVariants(kinds).map((descriptor) => [descriptor.kind, descriptor]));
  tables.set(types, table);
  return table;
};
