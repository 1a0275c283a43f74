import { type JsonObject, listField } from '@weft/node-catalogue';
import type { NodeContext } from '@weft/engine';
import { fromAiSchema } from '../from-ai/arguments-schema';
import { inputSchema, specifiesSchema } from '../input-schema';
import { TEXT_INPUT } from '../input-tool';

/**
 * The arguments of a workflow as a tool.
 * - Version 1: one text, or the object that the node specifies; the workflow gets it as `query`.
 * - Version 2: those of the `$fromAI` calls, if the called workflow declares inputs; otherwise one text, as `query`.
 */
export function workflowSchema(context: NodeContext, itemIndex: number): JsonObject {
  if (context.version < 2) return inputSchema(context, itemIndex, false);
  return declaresInputs(context) ? fromAiSchema(context.node.parameters) : TEXT_INPUT;
}

/** The fields that the workflow gets from the arguments. */
export function fieldsOfInput(context: NodeContext, itemIndex: number, input: JsonObject): JsonObject {
  if (context.version >= 2 && declaresInputs(context)) return { ...input };
  const isObject = context.version < 2 && specifiesSchema(context, itemIndex);
  return { query: isObject ? input : (input['input'] ?? '') };
}

/** True if the node knows inputs of the called workflow. */
export function declaresInputs(context: Pick<NodeContext, 'rawParameter'>): boolean {
  return listField(context.rawParameter('workflowInputs'), 'schema').length > 0;
}
