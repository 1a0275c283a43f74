import type { Json, JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import { type Item, type NodeContext, NodeFailure } from '@weft/engine';
import { mapItems } from '../shared/each-item';
import { toJsonObject } from '../shared/read-parameter';
import { parseStrictJson } from '../shared/values/loose-json';
import { workflowSource } from './called-workflow';

/** One declared input of the called workflow, as stored in the node. */
interface DeclaredInput {
  readonly name: string;
  readonly type: string;
  readonly isRemoved: boolean;
}

/**
 * The items that the called workflow begins with: the node's input items, from version 1.2 on with the declared inputs.
 * @throws NodeFailure if a value does not have the declared type and cannot be converted to it
 */
export async function childItems(context: NodeContext): Promise<readonly Item[]> {
  if (context.version < 1.2 || workflowSource(context) !== 'database') return context.items;
  const declared = declaredInputs(context);
  const rules: TypeRules = {
    converts: context.rawParameter('workflowInputs.attemptToConvertTypes') === true,
    checksStrings: context.version >= 1.4 || context.rawParameter('workflowInputs.convertFieldsToString') === true,
  };
  return mapItems(context, (item, index) => ({ ...item, json: inputOf(context, item, index, declared, rules) }));
}

/** How values are converted to their declared types. */
export interface TypeRules {
  /** True: converts a value of another type. False: it is an error. */
  readonly converts: boolean;
  /** False: accepts any value for a string. From version 1.4 on strings are always checked. */
  readonly checksStrings: boolean;
}

/**
 * Fields with the values that a node gives to the declared inputs of the called workflow.
 * @throws NodeFailure if a value does not have the declared type and cannot be converted to it
 */
export function declaredValues(
  context: Pick<NodeContext, 'parameter' | 'rawParameter'>,
  fields: JsonObject,
  itemIndex: number,
  rules: TypeRules,
): JsonObject {
  return inputOf(context, { json: fields }, itemIndex, declaredInputs(context), rules);
}

function declaredInputs(context: Pick<NodeContext, 'rawParameter'>): DeclaredInput[] {
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
  context: Pick<NodeContext, 'parameter'>,
  item: Pick<Item, 'json'>,
  itemIndex: number,
  declared: readonly DeclaredInput[],
  rules: TypeRules,
): JsonObject {
  const given = toJsonObject(context.parameter('workflowInputs.value', itemIndex)) ?? {};
  const json: JsonObject = { ...item.json, ...given };
  for (const { name, type, isRemoved } of declared) {
    if (isRemoved) delete json[name];
    else if (Object.hasOwn(given, name)) json[name] = typed(name, given[name] ?? null, type, itemIndex, rules);
  }
  return json;
}

function typed(name: string, value: Json, type: string, itemIndex: number, rules: TypeRules): Json {
  if (value === null || isOfType(value, type) || (type === 'string' && !rules.checksStrings)) return value;
  const converted = rules.converts ? convert(value, type) : undefined;
  if (converted !== undefined) return converted;
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

/** Undefined if the value cannot be converted. */
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
  const parsed = typeof value === 'string' ? parseStrictJson(text) : undefined;
  return parsed !== undefined && isOfType(parsed, type) ? parsed : undefined;
}
