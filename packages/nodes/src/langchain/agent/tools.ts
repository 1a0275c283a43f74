import type { NodeContext, ToolOutcome, ToolRequest } from '@weft/engine';
import type { ToolCall, ToolDefinition, ToolMessage } from '@weft/models';
import { NodeFailure } from '@weft/engine';
import type { AgentStep, Conversation } from './conversation';
import { checkArguments, type CheckedArguments } from '../tools/schema/check-arguments';
import { toolErrorText, toolText } from '../tools/tool-text';

/** Functions that one agent may offer to its model. */
const MAX_FUNCTIONS = 128;
/** Names in a message to the model. */
const MAX_NAMES = 40;

/** A function of an attached tool. */
interface OfferedFunction {
  readonly node: string;
  readonly definition: ToolDefinition;
}

/** The functions that the attached tools offer for an item, by name. */
export type OfferedFunctions = ReadonlyMap<string, OfferedFunction>;

/** Asks the tools for their functions. @throws NodeFailure if two have the same name, or there are too many */
export async function offeredFunctions(context: NodeContext, itemIndex: number): Promise<OfferedFunctions> {
  const offered = new Map<string, OfferedFunction>();
  for (const { node, handle } of await context.attached('ai_tool', itemIndex)) {
    for (const definition of handle.functions) {
      const other = offered.get(definition.name);
      if (other !== undefined)
        throw new NodeFailure(
          `The tools "${other.node}" and "${node}" have the same name for the model (${definition.name}): rename one`,
          { itemIndex },
        );
      offered.set(definition.name, { node, definition });
    }
  }
  if (offered.size > MAX_FUNCTIONS)
    throw new NodeFailure(
      `The tools of the node have ${offered.size} functions; a model gets at most ${MAX_FUNCTIONS}`,
    );
  return offered;
}

/** The calls of one answer: those that tools can make, and the results of those that cannot be made. */
interface SortedCalls {
  readonly requests: readonly ToolRequest[];
  readonly refused: readonly ToolMessage[];
}

/** Checks the calls of an answer before any tool runs. A call that cannot be made is reported to the model. */
function sortCalls(calls: readonly ToolCall[], offered: OfferedFunctions, itemIndex: number): SortedCalls {
  const requests: ToolRequest[] = [];
  const refused: ToolMessage[] = [];
  for (const [at, call] of calls.entries()) {
    const found = offered.get(call.name);
    const checked = found === undefined ? { fault: unknownTool(call, offered) } : argumentsOf(call, found);
    if (found === undefined || 'fault' in checked)
      refused.push(resultOf(call.id, call.name, 'fault' in checked ? checked.fault : '', true));
    else
      requests.push({
        id: `${itemIndex}/${at}/${call.id}`,
        node: found.node,
        tool: call.name,
        input: checked.input,
        itemIndex,
      });
  }
  return { requests, refused };
}

/** The conversation with an answer that calls tools: the calls that can be made are requested. */
export function withCalls(
  conversation: Conversation,
  calls: readonly ToolCall[],
  offered: OfferedFunctions,
  itemIndex: number,
): AgentStep {
  const { requests, refused } = sortCalls(calls, offered, itemIndex);
  const { turn, iterations } = conversation;
  return { conversation: { ...conversation, turn: [...turn, ...refused], iterations: iterations + 1 }, requests };
}

/** The message for the model about what became of a call. */
export function messageOfOutcome({ id, tool, items, error }: ToolOutcome): ToolMessage {
  const callId = id.split('/').slice(2).join('/');
  return error === undefined
    ? resultOf(callId, tool, toolText(items), false)
    : resultOf(callId, tool, toolErrorText(error), true);
}

const argumentsOf = ({ input, fault }: ToolCall, { definition }: OfferedFunction): CheckedArguments =>
  fault === undefined ? checkArguments(definition.parameters, input) : { fault: fault.message };

function unknownTool({ name }: ToolCall, offered: OfferedFunctions): string {
  const names = [...offered.keys()].slice(0, MAX_NAMES).join(', ');
  return `There is no tool "${name.slice(0, 100)}". ${names === '' ? 'You have none.' : `The tools are: ${names}.`}`;
}

const resultOf = (toolCallId: string, toolName: string, content: string, isError: boolean): ToolMessage => ({
  role: 'tool',
  toolCallId,
  toolName,
  content,
  ...(isError ? { isError: true } : {}),
});
