import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import { messageOf, type NodeContext, NodeFailure, type NodeResult, output } from '@weft/engine';
import { eachItem } from '../../shared/each-item';
import { checkArguments } from './schema/check-arguments';

/** Schema of tools that take one text. */
export const TEXT_INPUT: JsonObject = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
  additionalProperties: false,
};

/**
 * The arguments of a call of the tool: those of the model or, if items have reached the node, the fields of the item.
 * @throws NodeFailure with a sentence that a model can act on, for arguments that do not match the schema
 */
export function checkedInput(context: NodeContext, itemIndex: number, schema: JsonObject): JsonObject {
  const given = context.toolCall?.input ?? context.items[itemIndex]?.json ?? {};
  const checked = checkArguments(schema, given);
  if ('fault' in checked) throw new NodeFailure(checked.fault, { itemIndex });
  return checked.input;
}

/** The text that a tool with `TEXT_INPUT` got. */
export function textInput(context: NodeContext, itemIndex: number): string {
  const { input } = checkedInput(context, itemIndex, TEXT_INPUT);
  return typeof input === 'string' ? input : '';
}

/** Performs the call of each item: one if a model made it. Its result is the field `response` of an item. */
export async function respondToEach(
  context: NodeContext,
  call: (itemIndex: number) => Json | Promise<Json>,
): Promise<NodeResult> {
  return output(await eachItem(context, async (_item, index) => [{ json: { response: await call(index) } }]));
}

/** A JSON Schema of an object from text or a value. @throws NodeFailure if it is something else */
export function schemaParameter(value: Json | undefined, name: string): JsonObject {
  const schema = jsonParameter(value, name);
  if (!isJsonObject(schema)) throw new NodeFailure(`The parameter "${name}" must be a JSON Schema of an object`);
  const { type } = schema;
  if (type !== undefined && type !== 'object')
    throw new NodeFailure(`The schema in "${name}" describes ${JSON.stringify(type).slice(0, 100)}`, {
      description: 'The arguments of a function are an object: set "type" to "object" and list its "properties".',
    });
  return { ...schema, type: 'object' };
}

/** JSON from text or a value. @throws NodeFailure for text that is not JSON */
export function jsonParameter(value: Json | undefined, name: string): Json {
  if (typeof value !== 'string') return value ?? null;
  try {
    const parsed: Json = JSON.parse(value);
    return parsed;
  } catch (cause) {
    throw new NodeFailure(`The parameter "${name}" is not valid JSON`, { cause, description: messageOf(cause) });
  }
}
