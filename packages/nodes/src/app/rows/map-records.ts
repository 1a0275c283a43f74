import { isJsonObject, type Json, type JsonObject, listField, textField } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import { textOf } from '../../shared/http/request/read-fields';
import type { ItemParameters } from '../read-parameters';
import type { TemplateScope } from '../template-scope';
import type { PreparedMapping } from './prepare-rows';

/** Ways to map items to records: field by field, or by the names of their fields. */
export type MappingMode = 'autoMapInputData' | 'defineBelow' | 'nothing';

/** How the items of a node are mapped, as its first item says. */
export interface MappingSettings {
  readonly mode: MappingMode;
  /** The column to match on. */
  readonly match: string | undefined;
  /** Names of the columns when the node was set up; empty if it does not say. */
  readonly columns: readonly string[];
  /** True in the versions before the kind had a resource mapper. */
  readonly isOld: boolean;
}

/** Reads how items are mapped. @throws NodeFailure for an unknown mode */
export function mappingOf(
  mapping: PreparedMapping,
  version: number,
  { values }: ItemParameters,
  scope: TemplateScope,
): MappingSettings {
  const { before } = mapping;
  if (version < mapping.since && before !== undefined)
    return {
      mode: modeOf(before.mode.json(scope)),
      match: before.match?.text(scope) || undefined,
      columns: [],
      isOld: true,
    };
  const given = mapperOf(mapping, values);
  const [match] = listField(given, 'matchingColumns');
  const columns = listField(given, 'schema').flatMap((one) => textField(one, 'id') ?? []);
  return {
    mode: modeOf(given['mappingMode']),
    match: typeof match === 'string' && match !== '' ? match : undefined,
    columns,
    isOld: false,
  };
}

function modeOf(value: Json | undefined): MappingMode {
  if (value === 'autoMapInputData' || value === 'defineBelow' || value === 'nothing') return value;
  throw new NodeFailure(`The items cannot be mapped to columns: unknown mode ${JSON.stringify(value ?? null)}.`, {
    description: 'Use `defineBelow` to map each column, or `autoMapInputData` to map fields by their names.',
  });
}

function mapperOf({ from }: PreparedMapping, values: JsonObject): JsonObject {
  const given = values[from];
  return isJsonObject(given) ? given : {};
}

/** The record of an item that is mapped field by field. @throws NodeFailure if it has no values */
export function mappedRecord(
  mapping: PreparedMapping,
  { isOld, match }: MappingSettings,
  { values }: ItemParameters,
  scope: TemplateScope,
  itemIndex: number,
): JsonObject {
  const given = isOld ? mapping.before?.values.json(scope) : mapperValues(mapperOf(mapping, values));
  const record = isJsonObject(given) ? given : {};
  if (match !== undefined && isEmpty(record[match]))
    throw new NodeFailure(`The column to match on, "${match}", has no value.`, { itemIndex });
  // Older versions append an empty row.
  const mayBeEmpty = isOld && match === undefined;
  if (Object.keys(record).length === 0 && !mayBeEmpty)
    throw new NodeFailure('The item has no values to write.', {
      itemIndex,
      description: 'Give a value for at least one column.',
    });
  return record;
}

const isEmpty = (value: Json | undefined): boolean => value === undefined || value === null || value === '';

/** The values of a resource mapper, as strings if it says so. */
function mapperValues(mapper: JsonObject): JsonObject {
  const values = mapper['value'];
  if (!isJsonObject(values)) return {};
  if (mapper['convertFieldsToString'] !== true) return values;
  const types = new Map(listField(mapper, 'schema').map((one) => [textField(one, 'id'), textField(one, 'type')]));
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      types.get(name) === 'string' && value !== null ? textOf(value) : value,
    ]),
  );
}
