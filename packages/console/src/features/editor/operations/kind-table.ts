import type { NodeType } from '@weft/client';
import { type KindTable, readKind } from '@weft/node-catalogue/definitions';

const tables = new WeakMap<ReadonlyMap<string, NodeType>, KindTable>();

/** Node types of the API as descriptors. The same table for the same types. */
export const kindTable = (types: ReadonlyMap<string, NodeType>): KindTable => {
  const known = tables.get(types);
  if (known !== undefined) return known;
  const table = new Map(
    [...types].flatMap(([kind, type]) => {
      const descriptor = readKind(type);
      return descriptor === undefined ? [] : [[kind, descriptor] as const];
    }),
  );
  tables.set(types, table);
  return table;
};
