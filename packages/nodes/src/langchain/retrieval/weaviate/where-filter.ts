import { NodeFailure } from '@weft/engine';
import { field, isJsonObject, type Json, type JsonObject, listField } from '@weft/node-catalogue';

const MAX_CONDITIONS = 100;
/** Operators of GraphQL by the names of conditions in lower case. */
const OPERATORS: Readonly<Record<string, string>> = {
  equal: 'Equal',
  like: 'Like',
  containsany: 'ContainsAny',
  containsall: 'ContainsAll',
  greaterthan: 'GreaterThan',
  lessthan: 'LessThan',
  isnull: 'IsNull',
  withingeorange: 'WithinGeoRange',
};

/** Types of properties by their names. */
export type PropertyTypes = ReadonlyMap<string, string>;

/** True for a filter whose conditions depend on the types of properties. */
export const needsTypes = (filter: JsonObject): boolean =>
  [filter, ...listField(filter, 'AND'), ...listField(filter, 'OR')].some(
    (one) => typeof field(one, 'valueNumber') === 'number',
  );

/** A filter of a search as an argument of GraphQL. @throws NodeFailure for a condition that is incomplete */
export function whereArgument(filter: JsonObject, types: PropertyTypes, itemIndex: number): string {
  for (const [name, operator] of [
    ['AND', 'And'],
    ['OR', 'Or'],
  ] as const) {
    const conditions = listField(filter, name);
    if (conditions.length === 0) continue;
    if (conditions.length > MAX_CONDITIONS)
      throw new NodeFailure(`"Search filters" has more than ${MAX_CONDITIONS} conditions`, { itemIndex });
    const operands = conditions.map((one) => condition(one, types, itemIndex));
    return `{operator: ${operator}, operands: [${operands.join(', ')}]}`;
  }
  return condition(filter, types, itemIndex);
}

function condition(given: Json, types: PropertyTypes, itemIndex: number): string {
  const path = listField(given, 'path');
  const name = field(given, 'operator');
  const operator = typeof name === 'string' ? OPERATORS[name.toLowerCase()] : undefined;
  const value = isJsonObject(given) ? valueOf(given, types.get(String(path.at(-1)))) : undefined;
  if (operator !== undefined && value !== undefined && path.length > 0 && path.every((one) => typeof one === 'string'))
    return `{path: ${JSON.stringify(path)}, operator: ${operator}, ${value}}`;
  throw new NodeFailure('A condition of "Search filters" is incomplete', {
    itemIndex,
    description: 'It needs a "path", an "operator" that is known, and a value such as "valueString".',
  });
}

/** The value of a condition. A whole number is an integer, unless its property has numbers of any kind. */
function valueOf(given: JsonObject, type: string | undefined): string | undefined {
  const {
    valueString,
    valueText = valueString,
    valueNumber,
    valueBoolean,
    valueTextArray,
    valueGeoCoordinates,
  } = given;
  if (typeof valueText === 'string') return `valueText: ${JSON.stringify(valueText)}`;
  if (typeof valueNumber === 'number') {
    const isWhole = Number.isInteger(valueNumber) && type !== 'number';
    return `${isWhole ? 'valueInt' : 'valueNumber'}: ${valueNumber}`;
  }
  if (typeof valueBoolean === 'boolean') return `valueBoolean: ${valueBoolean}`;
  if (Array.isArray(valueTextArray) && valueTextArray.every((one) => typeof one === 'string'))
    return `valueText: ${JSON.stringify(valueTextArray)}`;
  const [latitude, longitude, distance] = ['latitude', 'longitude', 'distance'].map((name) =>
    field(valueGeoCoordinates, name),
  );
  return typeof latitude === 'number' && typeof longitude === 'number' && typeof distance === 'number'
    ? `valueGeoRange: {geoCoordinates: {latitude: ${latitude}, longitude: ${longitude}}, distance: {max: ${distance}}}`
    : undefined;
}
