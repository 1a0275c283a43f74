import type { JsonObject } from '@weft/node-catalogue';
import type { NodeContext } from '@weft/engine';
import { toJson } from '@weft/expressions';
import { booleanParameter, choiceParameter } from '../../shared/read-parameter';
import { jsonParameter, schemaParameter, TEXT_INPUT } from './input-tool';
import { exampleSchema } from './schema/example-schema';

/**
 * The schema of a tool whose node may specify one by an example or as JSON Schema; one text if it specifies none.
 * @param requiresAll true if all fields of an example are required
 * @throws NodeFailure that names the parameter
 */
export function inputSchema(context: NodeContext, itemIndex: number, requiresAll: boolean): JsonObject {
  if (!specifiesSchema(context, itemIndex)) return TEXT_INPUT;
  const type = choiceParameter(context, 'schemaType', itemIndex, ['fromJson', 'manual'], 'fromJson');
  const name = type === 'fromJson' ? 'jsonSchemaExample' : 'inputSchema';
  const value = toJson(context.parameter(name, itemIndex));
  return schemaParameter(type === 'fromJson' ? exampleSchema(jsonParameter(value, name), requiresAll) : value, name);
}

/** True if the tool takes an object. */
export function specifiesSchema(context: NodeContext, itemIndex: number): boolean {
  return booleanParameter(context, 'specifyInputSchema', itemIndex, false);
}
