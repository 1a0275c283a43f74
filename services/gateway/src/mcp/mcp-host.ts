import type { McpHost, ToolResult } from '@weft/mcp';
import { RpcError } from '@weft/mcp';
import type { Principal } from '@weft/service-kit/auth';
import { RELEASE } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import type { Clients } from '../clients';
import { errorText, reportError } from '../middleware/responses/error-response';
import { createCallHandler } from './call-handler';
import { listTools, ownTool } from './tool-list';
import { callWorkflowTool } from './tools/workflows-as-tools';

/** The caller of a request, and what its tools need. */
export interface HostOptions {
  readonly principal: Principal;
  readonly clients: Clients;
  readonly commit: string;
  readonly logger: Logger;
  /** Counts a further request of the caller. @throws RateLimitExceeded, Unauthorized */
  readonly admit: () => Promise<void>;
}

const INSTRUCTIONS =
  'Weft stores and runs workflows: graphs of nodes in the format of n8n. To build one: find node types with ' +
  'list_node_types, read their parameters with get_node_type, check the definition with check_workflow until it is ' +
  'runnable, store it with create_workflow, start it with run_workflow, and read its result. Expressions are strings ' +
  'that begin with "=", such as "={{ $json.name }}". Results are at most 50,000 characters, and say how to get the ' +
  'rest. Errors say what to change; do not repeat a call unchanged.';

const failure = (thrown: unknown, logger: Logger): ToolResult => {
  if (thrown instanceof RpcError) throw thrown;
  return { text: errorText(reportError(logger, thrown)), isError: true };
};

/** The server of one request. */
export const createMcpHost = ({ principal, clients, commit, logger, admit }: HostOptions): McpHost => {
  const call = createCallHandler(principal, clients, commit);
  return {
    info: { name: 'weft', title: 'Weft', version: RELEASE },
    instructions: INSTRUCTIONS,
    admit,
    listTools: (cursor) => listTools(cursor, principal, clients),
    callTool: async (name, args, context) => {
      const toolCall = { principal, clients, call, context };
      try {
        const own = ownTool(name);
        return await (own === undefined ? callWorkflowTool(name, args, toolCall) : own.run(args, toolCall));
      } catch (error) {
        return failure(error, logger);
      }
    },
    toError: (thrown) => reportError(logger, thrown),
  };
};
