import type { NodeType } from '@weft/client';
import type { KindDescriptor, KindTable, ParameterDescriptor, PortsDescriptor } from '@weft/node-catalogue/definitions';
import { isRecord } from '../../ui/json';

const isParameter = (value: unknown): value is ParameterDescriptor =>
  isRecord(value) && typeof value['name'] === 'string' && typeof value['type'] === 'string';

const isPorts = (value: unknown): value is PortsDescriptor =>
  isRecord(value) && ['inputs', 'outputs'].every((side) => value[side] === undefined || Array.isArray(value[side]));

const isDescriptor = (type: NodeType): type is NodeType & KindDescriptor =>
  type.parameters.every(isParameter) && (type.ports ?? []).every(isPorts) && type.versions.length > 0;

const tables = new WeakMap<ReadonlyMap<string, NodeType>, KindTable>();

/** Node types of the API as the table that `@weft/workflow-edit` reads. The same table for the same types. */
export const kindTable = (types: ReadonlyMap<string, NodeType>): KindTable => {
  const known = tables.get(types);
  if (known !== undefined) return known;
  const table = new Map([...types].flatMap(([kind, type]) => (isDescriptor(type) ? [[kind, type] as const] : [])));
  tables.set(types, table);
  return table;
};
