import {
  type Continuation,
  type NodeContext,
  type NodeExecutor,
  NodeFailure,
  type NodeResult,
  output,
} from '@weft/engine';
import { isJsonObject, type JsonObject, objectField, textField } from '@weft/node-catalogue';
import { offeredFunctions, type OfferedFunctions } from '../../agent/tools';
import { checkArguments } from '../../tools/schema/check-arguments';
import { toolErrorText, toolText } from '../../tools/tool-text';

/** Field of an item of a run that lists the tools. */
const LIST_FIELD = 'mcpListTools';
/** Field of an item of a run that calls a tool: `{ toolName, arguments }`. */
const CALL_FIELD = 'mcpToolCall';

/** Maximum size of all names, descriptions and schemas, in bytes. */
const MAX_LIST_BYTES = 1_000_000;

/**
 * Lists the attached tools, or calls the one that an item of the run names. Its item is the response to the caller:
 * `{ tools }`, `{ text, isError }`, or `{ unknownTool }`. Tools see the first item of the run: the request, or nothing.
 * If the tool fails, its caller gets the error as text, and the run fails. A run that was started in another way does
 * nothing.
 */
export const mcpTrigger: NodeExecutor = {
  kind: 'langchain.mcpTrigger',
  actsOutside: false,
  run: async (context) => {
    const { continuation, items } = context;
    if (continuation !== undefined) return respondWithOutcome(context, continuation);
    const all = context.fullInput(0).map(({ json }) => json);
    if (all.some((json) => json[LIST_FIELD] === true)) return listTools(context);
    const call = all.map((json) => objectField(json, CALL_FIELD)).find((one) => one !== undefined);
    return call === undefined ? output(items) : callTool(context, call);
  },
};

const answer = (json: JsonObject): NodeResult => output([{ json, pairedItem: { item: 0 } }]);

/** @throws NodeFailure if no tool is attached and enabled, or the tools cannot be offered */
async function functionsOf(context: NodeContext): Promise<OfferedFunctions> {
  const offered = await offeredFunctions(context, 0);
  if (offered.size === 0) throw new NodeFailure('The MCP server has no tools: connect one to its input ai_tool');
  return offered;
}

async function listTools(context: NodeContext): Promise<NodeResult> {
  const tools = [...(await functionsOf(context)).values()].map(({ definition }): JsonObject => {
    const { name, description, parameters } = definition;
    return {
      name,
      ...(description === undefined ? {} : { description }),
      inputSchema: { ...parameters, type: 'object' },
    };
  });
  const bytes = Buffer.byteLength(JSON.stringify(tools));
  if (bytes > MAX_LIST_BYTES)
    throw new NodeFailure(`The tools have ${bytes} bytes of names, descriptions and schemas`, {
      description: `At most ${MAX_LIST_BYTES} bytes can be listed: attach fewer tools, or shorten them.`,
    });
  return answer({ tools });
}

async function callTool(context: NodeContext, call: JsonObject): Promise<NodeResult> {
  const tool = textField(call, 'toolName') ?? '';
  const offered = await functionsOf(context);
  const found = offered.get(tool);
  if (found === undefined) return answer({ unknownTool: tool });
  const given = call['arguments'];
  const checked = checkArguments(found.definition.parameters, isJsonObject(given) ? given : {});
  if ('fault' in checked) return answer({ text: checked.fault, isError: true });
  const request = { id: 'call', node: found.node, tool, input: checked.input, itemIndex: 0 };
  return { kind: 'request', calls: [request], state: {} };
}

async function respondWithOutcome(context: NodeContext, { outcomes }: Continuation): Promise<NodeResult> {
  const [outcome] = outcomes;
  const { items = [], error, node = '' } = outcome ?? {};
  if (error === undefined) return answer({ text: toolText(items), isError: false });
  const text = toolErrorText(error);
  // A run that has failed has no item.
  await context.ports.respond({
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(context.withoutSecrets({ text, isError: true })),
  });
  throw new NodeFailure(`The tool "${node}" failed: ${error.message}`);
}
