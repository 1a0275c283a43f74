import type { Item } from '@weft/engine';
import type { ToolDefinition } from '@weft/models';
import { isJsonObject, type JsonObject } from '@weft/node-catalogue';

/** Characters of a result that a model sees. */
const MAX_RESULT = 65_536;

/** The items that a tool returned, as text for the model: head and tail where they are long. */
export function textForModel(items: readonly Item[]): string {
  const [first] = items;
  const text = JSON.stringify(items.length === 1 && first !== undefined ? first.json : items.map(({ json }) => json));
  if (text.length <= MAX_RESULT) return text;
  const half = MAX_RESULT / 2;
  return `${text.slice(0, half)}\n… ${text.length - MAX_RESULT} characters are left out …\n${text.slice(-half)}`;
}

/** Why a model's arguments cannot be used, in words that the model can act on; undefined if they can. */
export function argumentFault(input: JsonObject, { parameters, name }: ToolDefinition): string | undefined {
  const required = Array.isArray(parameters['required']) ? parameters['required'] : [];
  const missing = required.filter((key) => typeof key === 'string' && !Object.hasOwn(input, key));
  const known = isJsonObject(parameters['properties']) ? Object.keys(parameters['properties']).join(', ') : '';
  return missing.length === 0
    ? undefined
    : `The call of ${name} lacks ${missing.join(', ')}. Its arguments are: ${known}.`;
}
