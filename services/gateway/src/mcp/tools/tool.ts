import type { CallContext, Tool, ToolHints, ToolResult } from '@weft/mcp';
import type { Principal } from '@weft/service-kit/auth';
import { type FieldError, InvalidRequest } from '@weft/service-kit/errors';
import type { JsonObject } from '@weft/service-kit/json';
import type { Clients } from '../../clients';
import type { ObjectShape } from '../../http/shape';
import type { Answer } from '../../middleware/responses/write-answer';
import { MAX_RESULT, readWindow, shownWindow } from '../bounded-text';
import type { CallHandler } from '../call-handler';

/** A call of a tool, for its caller. */
export interface ToolCall {
  readonly principal: Principal;
  readonly clients: Clients;
  readonly call: CallHandler;
  readonly context: CallContext;
}

/** A tool with its implementation. Thrown errors become results that name them. */
export interface McpTool {
  readonly tool: Tool;
  readonly run: (args: JsonObject, call: ToolCall) => Promise<ToolResult>;
}

interface ToolDefinition<Args> extends Required<Pick<Tool, 'name' | 'title' | 'description'>> {
  readonly hints: ToolHints;
  readonly args: ObjectShape<Args>;
  readonly run: (args: Args, call: ToolCall) => Promise<ToolResult>;
}

const hints = (readOnlyHint: boolean, destructiveHint: boolean, idempotentHint: boolean, openWorldHint: boolean) => ({
  readOnlyHint,
  destructiveHint,
  idempotentHint,
  openWorldHint,
});

/** Kinds of tools, for clients that ask before some calls. */
export const HINTS = {
  reads: hints(true, false, true, false),
  adds: hints(false, false, false, false),
  changes: hints(false, true, true, false),
  /** Runs nodes, which may do anything. */
  runs: hints(false, true, false, true),
} as const satisfies Readonly<Record<string, ToolHints>>;

const schemaOf = (args: ObjectShape<unknown>): JsonObject => JSON.parse(JSON.stringify(args.schema));

/** @throws InvalidRequest */
const readArguments = <Args>(args: ObjectShape<Args>, value: JsonObject): Args => {
  const errors: FieldError[] = [];
  const read = args.readFields(value, '', errors);
  if (errors.length > 0)
    throw new InvalidRequest('The arguments are not valid; see details.fields.', errors.slice(0, 20));
  return read;
};

/** Creates a tool whose schema and reading of arguments are the same. */
export const defineTool = <Args>(definition: ToolDefinition<Args>): McpTool => {
  const { name, title, description, args, run } = definition;
  return {
    tool: { name, title, description, inputSchema: schemaOf(args), annotations: definition.hints },
    run: (value, call) => run(readArguments(args, value), call),
  };
};

/** The result of a tool that returns a response of the API, from an offset on. */
export const windowResult = async (answer: Answer, offset = 0): Promise<ToolResult> => ({
  text: shownWindow(await readWindow(answer, offset, MAX_RESULT), offset),
});

/** The whole text of a response that is known to be short. */
export const textOfAnswer = (answer: Answer): string => ('parts' in answer ? '' : answer.json.toString());
