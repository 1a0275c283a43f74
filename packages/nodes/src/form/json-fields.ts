import type { Json, JsonObject } from '@weft/node-catalogue';
import { isJsonObject, listField } from '@weft/node-catalogue';
import { type NodeContext, NodeFailure } from '@weft/engine';
import { toJson } from '@weft/expressions';
import { formFields } from '../descriptors/form-parameters';
import { parseLooseJson } from '../shared/values/loose-json';

const PARAMETERS = formFields(false).groups?.[0]?.fields ?? [];
const KNOWN_KEYS: ReadonlySet<string> = new Set(PARAMETERS.map(({ name }) => name));
const KNOWN_TYPES: ReadonlySet<unknown> = new Set(
  PARAMETERS.find(({ name }) => name === 'fieldType')?.options?.map(({ value }) => value),
);
const EXAMPLE = 'Write them as [{ "fieldLabel": "Name", "fieldType": "text" }].';

/** The fields of a page from JSON, with their options in the form of the editor. @throws NodeFailure */
export function readJsonFields(context: NodeContext): readonly JsonObject[] {
  const value = context.jsonParameter('jsonOutput', 0);
  const json = typeof value === 'string' ? parseLooseJson(value) : toJson(value);
  if (!Array.isArray(json) || !json.every(isJsonObject))
    throw new NodeFailure('The fields of the form are not a JSON array of objects', { description: EXAMPLE });
  return json.map(checkedField);
}

function checkedField(field: JsonObject, index: number): JsonObject {
  const unknown = Object.keys(field).find((key) => !KNOWN_KEYS.has(key));
  if (unknown !== undefined)
    throw new NodeFailure(`Key '${unknown}' in field ${index} is not valid for form fields`, {
      description: `Known keys: ${[...KNOWN_KEYS].join(', ')}.`,
    });
  const type = field['fieldType'];
  if (type !== undefined && !KNOWN_TYPES.has(type))
    throw new NodeFailure(`Field type '${String(type)}' in field ${index} is not valid for form fields`, {
      description: `Known types: ${[...KNOWN_TYPES].join(', ')}.`,
    });
  return field['fieldOptions'] === undefined
    ? field
    : { ...field, fieldOptions: optionsOf(field['fieldOptions'], index) };
}

/** Options are `{ values: [...] }`, or only the array. */
function optionsOf(given: Json, index: number): JsonObject {
  const values = Array.isArray(given) ? given : listField(given, 'values');
  const isValid = (Array.isArray(given) || isJsonObject(given)) && values.every(isOption);
  if (isValid) return { values: [...values] };
  throw new NodeFailure(`The options of field ${index} are not valid`, {
    description: 'Write them as { "values": [{ "option": "A" }, { "option": "B" }] }.',
  });
}

function isOption(value: Json): boolean {
  return isJsonObject(value) && Object.keys(value).length === 1 && typeof value['option'] === 'string';
}
