import { type Item, type NodeContext, type NodeExecutor, NodeFailure, output } from '@weft/engine';
import { type JsonObject, textField } from '@weft/node-catalogue';
import { eachItem } from '../../../shared/each-item';
import { checkArguments } from '../../tools/schema/check-arguments';
import { checkResult, resultFields } from '../call-result';
import { targetOf } from '../read-server';
import { clientServer, includedTools } from '../server-tools';
import { withSession } from '../session/open-session';

/** Offers the tools of an MCP server to a model, and calls them. */
export const mcpClientTool: NodeExecutor = {
  kind: 'langchain.mcpClientTool',
  actsOutside: true,
  supplies: {
    ai_tool: async (context) => {
      const tools = await includedTools(context, clientServer(context, context.itemIndex), context.itemIndex);
      return {
        functions: tools.map(({ functionName: name, description, schema: parameters }) => ({
          name,
          description,
          parameters,
        })),
      };
    },
  },
  run: async (context) => output(await eachItem(context, (item, index) => called(context, item, index))),
};

/** Makes the call of a model, or the one that an item names in its field `tool`. */
async function called(context: NodeContext, { json }: Item, itemIndex: number): Promise<{ json: JsonObject }[]> {
  const { tool: named, ...fields } = json;
  const name = context.toolCall?.tool ?? textField({ tool: named ?? null }, 'tool') ?? '';
  if (name === '')
    throw new NodeFailure('The item names no tool: set its field "tool"', {
      itemIndex,
      description: 'Its value is the name of this node, "_", and the name of the tool.',
    });
  const server = clientServer(context, itemIndex);
  const tools = await includedTools(context, server, itemIndex);
  const tool = tools.find(({ functionName }) => functionName === name);
  if (tool === undefined)
    throw new NodeFailure(`The MCP server at ${server.url.host} has no tool "${name.slice(0, 100)}"`, {
      itemIndex,
      description: `Its tools are: ${tools.map(({ functionName }) => functionName).join(', ')}`.slice(0, 1_000),
    });
  const checked = checkArguments(tool.schema, context.toolCall?.input ?? declared(tool.schema, fields));
  if ('fault' in checked) throw new NodeFailure(checked.fault, { itemIndex });
  const result = await withSession(await targetOf(context, server), server.transport, (session) =>
    session.callTool(tool.name, checked.input),
  );
  if (context.version >= 1.3) checkResult(result, tool.name, itemIndex);
  return [{ json: resultFields(result) }];
}

/** The fields of an item that a schema declares; all of them if it allows others. */
function declared(schema: JsonObject, fields: JsonObject): JsonObject {
  if (schema['additionalProperties'] === true) return fields;
  const { properties } = schema;
  const known = typeof properties === 'object' && properties !== null ? properties : {};
  return Object.fromEntries(Object.entries(fields).filter(([name]) => Object.hasOwn(known, name)));
}
