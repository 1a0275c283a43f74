import { checkArguments, INVALID_PARAMS, RpcError, type Tool, type ToolResult } from '@weft/mcp';
import type { McpTool as McpToolMessage, Workflow } from '@weft/proto/workflows';
import type { Principal } from '@weft/service-kit/auth';
import { InvalidRequest, ServiceError } from '@weft/service-kit/errors';
import { isJsonObject, type Json, type JsonObject } from '@weft/service-kit/json';
import type { Clients } from '../../clients';
import { startAndWait } from './start-and-wait';
import { HINTS, type ToolCall } from './tool';

/** Characters of a name before the id. Clients put the name of the server before it, and models accept 64 in all. */
const MAX_SLUG = 24;

const NAME = /^[a-z0-9_]{1,24}-([A-Za-z0-9_-]{22})$/;

const slugOf = (name: string): string => {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '_')
    .replaceAll(/_{2,}/g, '_');
  return slug.slice(0, MAX_SLUG).replace(/^_/, '').replace(/_$/, '') || 'workflow';
};

/** A name that models can read, and that ends with the id: it stays valid when the workflow is renamed. */
export const toolNameOf = ({ id, name }: Pick<Workflow, 'id' | 'name'>): string =>
  `${slugOf(name)}-${Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')}`;

/** The id of the workflow of a tool; undefined if the name is not that of a workflow. */
const workflowIdOf = (toolName: string): string | undefined => {
  const encoded = NAME.exec(toolName)?.[1];
  if (encoded === undefined) return undefined;
  return Buffer.from(encoded, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

const parseSchema = (text: string): JsonObject => {
  const schema: Json = JSON.parse(text);
  return isJsonObject(schema) ? schema : { type: 'object' };
};

const toTool = (workflow: Workflow, { description, inputSchemaJson }: McpToolMessage): Tool => ({
  name: toolNameOf(workflow),
  title: workflow.name.slice(0, 200),
  description:
    `Runs the workflow ${JSON.stringify(workflow.name.slice(0, 200))} and returns its result.` +
    `${description === '' ? '' : ` ${description}`}`,
  inputSchema: parseSchema(inputSchemaJson),
  annotations: HINTS.runs,
});

/** A page of workflows that are tools, newest first. A page may be short, or empty, although more follow. */
export const listWorkflowTools = async (
  { workflows }: Clients,
  principal: Principal,
  limit: number,
  cursor: string,
): Promise<{ readonly tools: readonly Tool[]; readonly nextCursor: string }> => {
  const { workflows: found, nextCursor } = await workflows.calls.listWorkflows(
    { limit, cursor, summary: true, active: true, mcpTools: true },
    { principal },
  );
  return { tools: found.flatMap((one) => (one.mcpTool === undefined ? [] : [toTool(one, one.mcpTool)])), nextCursor };
};

/** Data of a start that is equal to that of the trigger's own starts. */
const startData = (trigger: string, args: JsonObject): JsonObject => {
  switch (trigger) {
    case 'webhook':
      return { headers: {}, params: {}, query: {}, body: {}, ...args };
    case 'formTrigger':
      return { ...args, submittedAt: new Date().toISOString(), formMode: 'production' };
    default:
      return args;
  }
};

const findTool = async (id: string, { clients, principal }: ToolCall): Promise<McpToolMessage | undefined> => {
  try {
    const { workflow } = await clients.workflows.calls.getWorkflow({ workflowId: id, knownEtags: [] }, { principal });
    return workflow?.active === true ? workflow.mcpTool : undefined;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'not-found') return undefined;
    throw error;
  }
};

/** Runs the workflow of a tool as the caller. @throws RpcError unless it is one */
export const callWorkflowTool = async (name: string, args: JsonObject, call: ToolCall): Promise<ToolResult> => {
  const id = workflowIdOf(name);
  const found = id === undefined ? undefined : await findTool(id, call);
  if (id === undefined || found === undefined)
    throw new RpcError(INVALID_PARAMS, `Unknown tool: ${name.slice(0, 100)}. List the tools again.`);
  const errors = checkArguments(parseSchema(found.inputSchemaJson), args);
  if (errors.length > 0) throw new InvalidRequest(`The arguments are not valid: ${errors.join('; ')}.`);
  const data = startData(found.trigger, args);
  return startAndWait({ id, data, startNode: found.node, usePinData: false, wait: true }, call);
};
