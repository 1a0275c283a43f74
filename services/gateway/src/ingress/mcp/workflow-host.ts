import type { McpServer } from '@weft/proto/channels';
import type { ResolvedWebhook } from '@weft/proto/workflows';
import { INVALID_PARAMS, type McpHost, RpcError, type ToolResult } from '@weft/mcp';
import type { Json, JsonObject } from '@weft/service-kit/json';
import { RELEASE } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clients } from '../../clients';
import { nameExecution } from '../../http/execution-header';
import { errorText, reportError } from '../../middleware/responses/error-response';
import { runList, runTool } from './tool-runs';
import type { ToolLists } from './tool-lists';

/** A request to a server of a workflow. */
export interface ServedCall {
  readonly response: ServerResponse;
  readonly webhook: ResolvedWebhook;
  readonly server: McpServer;
  /** Headers that runs may see. */
  readonly headers: IncomingMessage['headers'];
}

/** Dependencies of a host. */
export interface HostOptions {
  readonly clients: Clients;
  readonly logger: Logger;
  readonly lists: ToolLists;
}

/** The part of a request that runs see. */
const shownOf = (body: Json, headers: IncomingMessage['headers']): JsonObject => {
  const lines = Object.entries(headers).flatMap(([name, value]): [string, Json][] =>
    value === undefined ? [] : [[name, typeof value === 'string' ? value : [...value]]],
  );
  return { body, headers: Object.fromEntries(lines) };
};

/** The server of one request: its tools are runs of a trigger. */
export const createWorkflowHost = (
  { webhook, server, headers, response, body }: ServedCall & { readonly body: Json },
  { clients, logger, lists }: HostOptions,
): McpHost => {
  const runServer = { webhook, clients };
  const { name, instructions, passesRequest } = server;
  return {
    info: { name, version: RELEASE },
    ...(instructions === '' ? {} : { instructions }),
    admit: () => Promise.resolve(),
    listTools: async (cursor) => {
      if (cursor !== undefined) throw new RpcError(INVALID_PARAMS, 'Unknown cursor: the list has one page.');
      return { tools: await lists.toolsOf(webhook, () => runList(runServer)) };
    },
    callTool: async (tool, args): Promise<ToolResult> => {
      const call = { tool, args, shown: passesRequest ? shownOf(body, headers) : {} };
      try {
        return await runTool(runServer, call, (executionId) => nameExecution(response, executionId));
      } catch (error) {
        if (error instanceof RpcError) throw error;
        return { text: errorText(reportError(logger, error)), isError: true };
      }
    },
    toError: (thrown) => reportError(logger, thrown),
  };
};
