import { INVALID_PARAMS, RpcError, type Tool, type ToolPage } from '@weft/mcp';
import type { Principal } from '@weft/service-kit/auth';
import type { Clients } from '../clients';
import { EXECUTION_TOOLS } from './tools/execution-tools';
import { NODE_TYPE_TOOLS } from './tools/node-type-tools';
import type { McpTool } from './tools/tool';
import { WORKFLOW_TOOLS } from './tools/workflow-tools';
import { listWorkflowTools } from './tools/workflows-as-tools';

/** Tools that every server has, in the order in which they are listed. */
export const OWN_TOOLS: readonly McpTool[] = [...WORKFLOW_TOOLS, ...EXECUTION_TOOLS, ...NODE_TYPE_TOOLS];

const BY_NAME: ReadonlyMap<string, McpTool> = new Map(OWN_TOOLS.map((one) => [one.tool.name, one]));

/** The server's own tool with this name. */
export const ownTool = (name: string): McpTool | undefined => BY_NAME.get(name);

const PAGE_SIZE = 50;
/** Workflows that one caller sees as tools: the newest. */
const MAX_WORKFLOW_TOOLS = 100;

/** Number of workflow tools on earlier pages, and the cursor of the list of workflows. */
const CURSOR = /^(\d{1,3})\.([\w-]{1,500})$/;

const readCursor = (cursor: string): { readonly shown: number; readonly after: string } => {
  const [, shown = '', after = ''] = CURSOR.exec(cursor) ?? [];
  if (shown === '') throw new RpcError(INVALID_PARAMS, 'Unknown cursor: pass nextCursor unchanged, or none.');
  return { shown: Number(shown), after };
};

/** A page of the tools of a caller: the server's own first. @throws RpcError for an unknown cursor */
export const listTools = async (
  cursor: string | undefined,
  principal: Principal,
  clients: Clients,
): Promise<ToolPage> => {
  const isFirst = cursor === undefined;
  const { shown, after } = isFirst ? { shown: 0, after: '' } : readCursor(cursor);
  const tools: Tool[] = isFirst ? OWN_TOOLS.map(({ tool }) => tool) : [];
  const limit = Math.min(PAGE_SIZE - tools.length, MAX_WORKFLOW_TOOLS - shown);
  if (limit <= 0) return { tools };
  const page = await listWorkflowTools(clients, principal, limit, after);
  const total = shown + page.tools.length;
  const isLast = page.nextCursor === '' || total >= MAX_WORKFLOW_TOOLS;
  return { tools: [...tools, ...page.tools], ...(isLast ? {} : { nextCursor: `${total}.${page.nextCursor}` }) };
};
