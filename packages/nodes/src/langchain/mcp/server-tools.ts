import { type NodeContext, NodeFailure } from '@weft/engine';
import type { JsonObject } from '@weft/node-catalogue';
import { choiceParameter, namesParameter } from '../../shared/read-parameter';
import { type McpServer, readServer, targetOf } from './read-server';
import { MCP_LIMITS } from './session/limits';
import { type McpTool, withSession } from './session/open-session';

/** A tool of a server, with the name that a model calls. */
export interface NamedTool extends McpTool {
  readonly functionName: string;
}

/** Maximum length of the name of a function. */
const MAX_NAME = 64;

/**
 * Lists of tools that this process has fetched, by the state that the nodes of an execution share, and by server.
 * A run that continues in another process lists them again.
 */
const fetched = new WeakMap<JsonObject, Map<string, Promise<readonly McpTool[]>>>();

/** The server of a client tool. */
export function clientServer(context: NodeContext, itemIndex: number): McpServer {
  return context.version === 1
    ? readServer(context, { endpoint: 'sseEndpoint', transport: 'sse' }, itemIndex)
    : readServer(context, { endpoint: 'endpointUrl' }, itemIndex);
}

/**
 * The tools of the server that the node includes, listed once in an execution.
 * @throws NodeFailure for a server without such tools, and for tools that cannot be offered
 */
export async function includedTools(
  context: NodeContext,
  server: McpServer,
  itemIndex: number,
): Promise<readonly NamedTool[]> {
  const tools = selected(context, await listed(context, server), itemIndex);
  if (tools.length === 0)
    throw new NodeFailure(`The MCP server at ${server.url.host} has no tools that the node includes`, {
      itemIndex,
      description: `Check "Tools to include" of the node "${context.node.name}".`,
    });
  const large = tools.find(({ schema }) => JSON.stringify(schema).length > MCP_LIMITS.schema);
  if (large !== undefined)
    throw new NodeFailure(`The schema of the tool "${large.name}" has more than ${MCP_LIMITS.schema} characters`, {
      itemIndex,
      description: `Exclude the tool in the node "${context.node.name}".`,
    });
  const names = tools.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new NodeFailure(`The MCP server at ${server.url.host} lists the tool "${twice}" more than once`, {
      itemIndex,
      description: `Exclude the tool in the node "${context.node.name}", or correct the server.`,
    });
  return tools.map((tool) => ({ ...tool, functionName: functionName(context.node.name, tool.name) }));
}

function listed(context: NodeContext, server: McpServer): Promise<readonly McpTool[]> {
  const { runMemory, node } = context;
  const lists = fetched.get(runMemory) ?? new Map<string, Promise<readonly McpTool[]>>();
  fetched.set(runMemory, lists);
  const key = JSON.stringify([node.name, server.transport, server.url.href, server.authentication]);
  const present = lists.get(key);
  if (present !== undefined) return present;
  const work = targetOf(context, server).then((target) =>
    withSession(target, server.transport, (session) => session.listTools()),
  );
  lists.set(key, work);
  work.catch(() => lists.delete(key));
  return work;
}

function selected(context: NodeContext, tools: readonly McpTool[], itemIndex: number): readonly McpTool[] {
  switch (choiceParameter(context, 'include', itemIndex, ['all', 'selected', 'except'])) {
    case 'all':
      return tools;
    case 'selected': {
      const names = new Set(namesParameter(context, 'includeTools', itemIndex));
      return names.size === 0 ? tools : tools.filter(({ name }) => names.has(name));
    }
    case 'except': {
      const names = new Set(namesParameter(context, 'excludeTools', itemIndex));
      return tools.filter(({ name }) => !names.has(name));
    }
  }
}

/** The name of the node before that of the tool, cut so that both have at most 64 characters. */
export function functionName(node: string, tool: string): string {
  const prefix = node.replaceAll(/[^a-zA-Z0-9]/g, '_');
  const room = MAX_NAME - tool.length - 1;
  return room > 0 ? `${prefix.slice(0, room)}_${tool}` : tool;
}
