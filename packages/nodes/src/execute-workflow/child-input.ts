import type { Json, JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import { type Item, type NodeContext, NodeFailure } from '@weft/engine';
import { mapItems } from '../shared/each-item';
import { toJsonObject } from '../shared/read-parameter';
import { workflowSource } from './called-workflow';

/** One input that the called workflow declares, as stored in the node. */
interface DeclaredInput {
  readonly name: string;
  readonly type: string;
  readonly isRemoved: boolean;
}

/**
 * The items that the called workflow begins with: the node's own, from version 1.2 on with the declared inputs in them.
 * @throws NodeFailure if a value does not have the declared type and cannot be converted to it
 */
export async function childItems(context: NodeContext): Promise<readonly Item[]> {
  if (context.version < 1.2 || workflowSource(context) !== 'database') return context.items;
  const declared = declaredInputs(context);
  const converts =
    context.rawParameter('workflowInputs.attemptToConvertTypes') === true ||
    context.rawParameter('workflowInputs.convertFieldsToString') === true;
  return mapItems(context, (item, index) => ({ ...item, json: inputOf(context, item, index, declared, converts) }));
}

function declaredInputs(context: NodeContext): DeclaredInput[] {
  const schema = context.rawParameter('workflowInputs.schema');
  return (Array.isArray(schema) ? schema : []).flatMap((field) => {
    if (!isJsonObject(field)) return [];
    const name = field['displayName'] ?? field['id'];
    return typeof name === 'string'
      ? [{ name, type: String(field['type'] ?? ''), isRemoved: field['removed'] === true }]
      : [];
  });
}

function inputOf(
  context: NodeContext,
  item: Item,
  itemIndex: number,
  declared: readonly DeclaredInput[],
  converts: boolean,
): JsonObject {
  const stated = toJsonObject(context.parameter('workflowInputs.value', itemIndex)) ?? {};
  const json: JsonObject = { ...item.json, ...stated };
  for (const { name, type, isRemoved } of declared) {
    if (isRemoved) delete json[name];
    else if (Object.hasOwn(stated, name)) json[name] = typed(name, stated[name] ?? null, type, itemIndex, converts);
  }
  return json;
}

function typed(name: string, value: Json, type: string, itemIndex: number, converts: boolean): Json {
  if (value === null || isOfType(value, type)) return value;
  const converted = converts ? convert(value, type) : undefined;
  if (converted !== undefined) return converted;
  if (type === 'string') return value;
  throw new NodeFailure(`Invalid input for '${name}' [item ${itemIndex}]`, {
    itemIndex,
    description: `'${name}' expects ${type}, but it got ${JSON.stringify(value).slice(0, 100)}.`,
  });
}

function isOfType(value: Json, type: string): boolean {
  switch (type) {
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'string':
      return typeof value === 'string';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    default:
      return true;
  }
}

/** Undefined if the value cannot be converted to the type. */
function convert(value: Json, type: string): Json | undefined {
  if (type === 'string') return typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (type === 'number') {
    const number =
      typeof value === 'boolean' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : NaN;
    return Number.isFinite(number) ? number : undefined;
  }
  const text = String(value).trim();
  if (type === 'boolean')
    return ['true', '1'].includes(text.toLowerCase())
      ? true
      : ['false', '0'].includes(text.toLowerCase())
        ? false
        : undefined;
  const parsed = typeof value === 'string' ? parse(text) : undefined;
  return parsed !== undefined && isOfType(parsed, type) ? parsed : undefined;
}

function parse(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    // Not JSON: it cannot be converted to a list or an object.
    return undefined;
  }
}
