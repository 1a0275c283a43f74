import { INTERNAL_ERROR, INVALID_PARAMS, RpcError, type Tool, type ToolResult } from '@weft/mcp';
import type { StartedExecution } from '@weft/proto/executions';
import type { ResolvedWebhook } from '@weft/proto/workflows';
import { uuidv7 } from '@weft/service-kit/ids';
import { booleanField, isJsonObject, listField, type JsonObject, objectField, textField } from '@weft/service-kit/json';
import type { Clients } from '../../clients';
import { checkMessageSize } from '../../http/message-size';
import { hookStart } from '../webhooks/start-from-webhook';
import { responseOptions, WAITING_CALL } from '../webhooks/write-run-answer';
import type { ListedTools } from './tool-lists';

/** The server whose trigger runs. */
export interface RunServer {
  readonly webhook: ResolvedWebhook;
  readonly clients: Clients;
}

/** A call of a tool, and what its run sees of the request. */
export interface RunCall {
  readonly tool: string;
  readonly args: JsonObject;
  readonly shown: JsonObject;
}

const FIRST_ERROR_STATUS = 500;
const MAX_SHOWN_NAME = 100;

/** @param seen JSON of the item that the tools see */
const run = async (
  { webhook, clients }: RunServer,
  seen: JsonObject,
  request: JsonObject,
  over: { readonly expiresOnSuccess?: boolean } = {},
): Promise<StartedExecution> => {
  const text = JSON.stringify([{ json: seen }, { json: request }]);
  checkMessageSize(text.length);
  const start = hookStart({ webhook, input: Buffer.from(text), idempotencyKey: '', executionId: uuidv7() });
  return clients.executions.startByItself({ ...start, ...over, ...responseOptions() }, WAITING_CALL);
};

/** The response of the trigger; undefined if the run failed, waits, or has not responded in time. */
const answerOf = ({ response }: StartedExecution): JsonObject | undefined => {
  if (response === undefined || response.statusCode >= FIRST_ERROR_STATUS || response.body.length === 0)
    return undefined;
  const answer: unknown = JSON.parse(response.body.toString());
  return isJsonObject(answer) ? answer : undefined;
};

const toTool = (given: JsonObject): Tool => {
  const description = textField(given, 'description');
  return {
    name: textField(given, 'name') ?? '',
    ...(description === undefined ? {} : { description }),
    inputSchema: objectField(given, 'inputSchema') ?? { type: 'object' },
  };
};

/**
 * Lists the tools by a run of the trigger, which is not kept if it succeeds.
 * @throws RpcError if the run fails; refusals of the start
 */
export const runList = async (server: RunServer): Promise<ListedTools> => {
  const started = await run(server, {}, { mcpListTools: true }, { expiresOnSuccess: true });
  const answer = answerOf(started);
  if (answer === undefined || !Object.hasOwn(answer, 'tools'))
    throw new RpcError(INTERNAL_ERROR, `The tools cannot be listed. See the execution ${started.executionId}.`);
  const tools = listField(answer, 'tools').filter(isJsonObject).map(toTool);
  return { tools, bytes: started.response?.body.length ?? 0 };
};

/** The sentence for a caller whose call has no result. */
const without = ({ executionId, response }: StartedExecution): string => {
  if (response === undefined) return `The tool has not responded in time. The execution ${executionId} continues.`;
  return response.statusCode >= FIRST_ERROR_STATUS
    ? `The call failed. The execution ${executionId} has the reason.`
    : `The tool waits for an event. The execution ${executionId} continues when it comes.`;
};

/**
 * Calls a tool by a run of the trigger, and waits for its result within the time of the request.
 * @param onStart receives the id of the execution
 * @throws RpcError if the server has no such tool; refusals of the start
 */
export const runTool = async (
  server: RunServer,
  { tool, args, shown }: RunCall,
  onStart: (executionId: string) => void,
): Promise<ToolResult> => {
  const started = await run(server, shown, { mcpToolCall: { toolName: tool, arguments: args } });
  onStart(started.executionId);
  const answer = answerOf(started);
  if (answer !== undefined && Object.hasOwn(answer, 'unknownTool'))
    throw new RpcError(INVALID_PARAMS, `Unknown tool: ${tool.slice(0, MAX_SHOWN_NAME)}. List the tools again.`);
  const text = textField(answer, 'text');
  return text === undefined
    ? { text: without(started), isError: true }
    : { text, isError: booleanField(answer, 'isError') ?? false };
};
