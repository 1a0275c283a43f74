import type { Json } from '@weft/node-catalogue';
import { type NodeContext, NodeFailure } from '@weft/engine';
import { type FieldType, convertValue, describeValue, jsonOrNull } from '../shared/values/convert-value';

/** A field for a Set node to write. */
export interface TypedField {
  readonly name: string;
  readonly type: FieldType;
  readonly value: unknown;
}

/** Context of writing a field. */
export interface FieldPlace {
  readonly context: Pick<NodeContext, 'version' | 'timezone'>;
  readonly itemIndex: number;
  readonly ignoreConversionErrors: boolean;
}

/**
 * The JSON of a field's value in its declared type.
 * @throws NodeFailure if the value does not match and conversion errors are not ignored
 */
export function typedValue(field: TypedField, place: FieldPlace): Json {
  const { name, type, value } = field;
  const { version, timezone } = place.context;
  if (value === undefined || value === null) return missingValue(field, place);
  if (type === 'string') return textOf(value, version);
  const conversion = convertValue(type, value, { timezone });
  if (conversion.ok) return jsonOrNull(conversion.value);
  if (place.ignoreConversionErrors) return jsonOrNull(value);
  throw doesNotFit(name, type, value, place);
}

function missingValue({ name, type, value }: TypedField, place: FieldPlace): Json {
  const { version } = place.context;
  // The first version of this form converts an empty value to a string.
  if (type === 'string' && version <= 3) return String(value);
  if (version >= 3.2 || type !== 'string' || place.ignoreConversionErrors) return null;
  throw doesNotFit(name, type, value, place);
}

/** The string form of a value. Objects and JavaScript dates become JSON, Luxon dates ISO strings. */
function textOf(value: unknown, version: number): Json {
  if (typeof value === 'number') return String(value);
  const json = jsonOrNull(value);
  if (json === null) return version <= 3 ? 'null' : null;
  return typeof json === 'object' || value instanceof Date ? JSON.stringify(json) : String(json);
}

function doesNotFit(name: string, type: string, value: unknown, { itemIndex }: FieldPlace): NodeFailure {
  return new NodeFailure(`'${name}' expects a ${type} but we got ${describeValue(value)} [item ${itemIndex}]`, {
    itemIndex,
    description: `Change the type of the field "${name}", or turn on the option to ignore type conversion errors.`,
  });
}
