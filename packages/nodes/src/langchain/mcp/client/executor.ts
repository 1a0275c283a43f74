import { type BinaryReference, type NodeContext, type NodeExecutor, NodeFailure, output } from '@weft/engine';
import { isJsonObject, type Json, type JsonObject, listField, objectField, textField } from '@weft/node-catalogue';
import { eachItem } from '../../../shared/each-item';
import { storeFile } from '../../../shared/files/item-files';
import { booleanParameter, choiceParameter, toJsonObject } from '../../../shared/read-parameter';
import { checkResult } from '../call-result';
import { readServer, targetOf } from '../read-server';
import { withSession } from '../session/open-session';

/** Calls a tool of an MCP server for each item, all in one session. */
export const mcpClient: NodeExecutor = {
  kind: 'langchain.mcpClient',
  actsOutside: true,
  run: async (context) => {
    if (context.items.length === 0) return output([]);
    const server = readServer(context, { endpoint: 'endpointUrl' }, 0);
    const target = await targetOf(context, server);
    return withSession(target, server.transport, async (session) =>
      output(
        await eachItem(context, async (_item, index) => {
          const tool = toolOf(context, index);
          const result = await session.callTool(tool, argumentsOf(context, index));
          if (context.version >= 1.1) checkResult(result, tool, index);
          return [await itemOf(context, result, index)];
        }),
      ),
    );
  },
};

function toolOf(context: NodeContext, itemIndex: number): string {
  const given = context.parameter('tool', itemIndex);
  const value = toJsonObject(given)?.['value'] ?? given;
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  throw new NodeFailure(`The field "Tool" of "${context.node.name}" is empty`, { itemIndex });
}

function argumentsOf(context: NodeContext, itemIndex: number): JsonObject {
  if (choiceParameter(context, 'inputMode', itemIndex, ['manual', 'json']) === 'manual')
    return toJsonObject(context.parameter('parameters.value', itemIndex)) ?? {};
  const given = context.jsonParameter('jsonInput', itemIndex);
  const parsed = typeof given === 'string' ? parsedObject(given) : toJsonObject(given);
  if (parsed !== undefined) return parsed;
  throw new NodeFailure(`The field "JSON" of "${context.node.name}" is not a JSON object`, { itemIndex });
}

function parsedObject(text: string): JsonObject | undefined {
  const value = parsedOr(text, null);
  return isJsonObject(value) ? value : undefined;
}

function parsedOr(text: string, other: Json): Json {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return other;
    throw thrown;
  }
}

async function itemOf(
  context: NodeContext,
  result: JsonObject,
  itemIndex: number,
): Promise<{ json: JsonObject; binary?: Record<string, BinaryReference> }> {
  const storesFiles = booleanParameter(context, 'options.convertToBinary', itemIndex, true);
  const binary: Record<string, BinaryReference> = {};
  const content: Json[] = [];
  for (const part of listField(result, 'content')) {
    const { type, text, data, mimeType } = isJsonObject(part) ? part : {};
    if (isJsonObject(part) && type === 'text' && typeof text === 'string')
      content.push({ ...part, text: parsedOr(text, text) });
    else if (storesFiles && (type === 'image' || type === 'audio') && typeof data === 'string') {
      const bytes = Buffer.from(data, 'base64');
      const name = `data_${Object.keys(binary).length}`;
      binary[name] = await storeFile(
        context.ports.files,
        bytes,
        undefined,
        textField({ mimeType: mimeType ?? null }, 'mimeType'),
      );
    } else content.push(part);
  }
  const structured = objectField(result, 'structuredContent');
  return {
    json: {
      ...(structured === undefined ? {} : { structuredContent: structured }),
      ...(content.length === 0 ? {} : { content }),
    },
    ...(Object.keys(binary).length === 0 ? {} : { binary }),
  };
}
