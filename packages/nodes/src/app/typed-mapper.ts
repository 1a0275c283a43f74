import { isJsonObject, type Json, type JsonObject, listField, textField } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import { convertValue, describeValue, type FieldType, jsonOrNull } from '../shared/values/convert-value';

/** Names of the types of columns, for messages. */
const TYPES: Readonly<Record<FieldType, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  dateTime: 'a date',
};

/**
 * A resource mapper whose values have the types that its `schema` gives for their columns. Values are converted only if
 * it says `attemptToConvertTypes`; strings only if it says `convertFieldsToString`.
 * @param timezone of dates without one
 * @throws NodeFailure for a value of another type, and for one that is not an option of its column
 */
export function typedMapper(mapper: JsonObject, timezone: string, itemIndex: number): JsonObject {
  const values = mapper['value'];
  if (!isJsonObject(values)) return mapper;
  const columns = new Map(listField(mapper, 'schema').map((one) => [textField(one, 'id') ?? '', one] as const));
  const strict = mapper['attemptToConvertTypes'] !== true;
  const isText = mapper['convertFieldsToString'] === true;
  const typed = Object.entries(values).map(([name, value]): [string, Json] => {
    const column = columns.get(name);
    const type = textField(column, 'type');
    if (value === null || column === undefined || (type === 'string' && !isText)) return [name, value];
    if (type === 'options') return [name, optionOf(name, value, column, itemIndex)];
    if (!isFieldType(type)) return [name, value];
    const converted = convertValue(type, value, { strict, timezone });
    if (converted.ok) return [name, jsonOrNull(converted.value)];
    throw new NodeFailure(`The column "${name}" needs ${TYPES[type]}, not ${describeValue(value)}.`, {
      itemIndex,
      description: strict
        ? 'Change the value, or turn on "Attempt to convert types" in the mapping of the columns.'
        : 'Change the value.',
    });
  });
  return { ...mapper, value: Object.fromEntries(typed) };
}

function optionOf(name: string, value: Json, column: Json, itemIndex: number): Json {
  const options = listField(column, 'options').map((option) => (isJsonObject(option) ? option['value'] : undefined));
  if (options.length === 0 || options.includes(value)) return value;
  throw new NodeFailure(`${describeValue(value)} is not an option of the column "${name}".`, {
    itemIndex,
    description: `Options: ${options.slice(0, 20).map(String).join(', ')}.`,
  });
}

function isFieldType(type: string | undefined): type is FieldType {
  return type !== undefined && Object.hasOwn(TYPES, type);
}
