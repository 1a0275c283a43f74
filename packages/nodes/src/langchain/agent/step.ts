import {
  type ChatMemory,
  type LanguageModel,
  messageOf,
  type NodeContext,
  NodeFailure,
  type OutputParser,
  type TextStream,
} from '@weft/engine';
import type { ChatCall, ChatMessage, ChatResult, ToolCall, ToolDefinition } from '@weft/models';
import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import { type AgentOptions, readAgentOptions, userMessage } from './agent-options';
import { type AgentStep, type Conversation, intermediateSteps } from './conversation';
import { offeredFunctions, withCalls } from './tools';

/** The function by which a model gives an answer of a certain form, as n8n calls it. */
const FINAL_ANSWER = 'format_final_json_response';

/** Sub-nodes and parameters of the node for one item. */
interface Equipment {
  readonly options: AgentOptions;
  readonly models: readonly LanguageModel[];
  readonly memory: ChatMemory | undefined;
  readonly parser: OutputParser | undefined;
}

/**
 * Asks the model once, and finishes the conversation or prepares the calls that the model makes.
 * @throws NodeFailure if the model fails, or the agent has taken all its iterations
 */
export async function takeStep(context: NodeContext, before: Conversation, itemIndex: number): Promise<AgentStep> {
  const equipment = await equip(context, itemIndex);
  const { options, memory, parser } = equipment;
  if (before.iterations >= options.maxIterations) {
    context.limitReached('AGENT_STEPS');
    throw new NodeFailure(`The agent has no answer after ${options.maxIterations} iterations (maxIterations)`, {
      itemIndex,
      context: { limit: 'AGENT_STEPS', intermediateSteps: intermediateSteps(before.turn) },
      description: 'Raise maxIterations of the node, to at most 50, or say in the prompt when to stop.',
    });
  }
  const isFirst = before.turn.length === 0;
  const history = isFirst && memory !== undefined ? await memory.load() : before.history;
  const offered = await offeredFunctions(context, itemIndex);
  const call: ChatCall = {
    messages: [
      ...systemMessages(options, parser),
      ...history,
      await userMessage(context, options, itemIndex),
      ...before.turn,
    ],
    tools: [...[...offered.values()].map(({ definition }) => definition), ...finalAnswers(parser)],
    signal: context.signal,
  };
  const answer = await ask(equipment, call, options.streams ? () => context.streamText(itemIndex) : () => undefined);
  const conversation: Conversation = { ...before, history, turn: [...before.turn, answer.message] };
  const final = parser === undefined ? undefined : answer.toolCalls.find(({ name }) => name === FINAL_ANSWER);
  if (final !== undefined || answer.toolCalls.length === 0)
    return finish(conversation, equipment, final ?? answer.message.content);
  return withCalls(conversation, answer.toolCalls, offered, itemIndex);
}

async function equip(context: NodeContext, itemIndex: number): Promise<Equipment> {
  const options = readAgentOptions(context, itemIndex);
  const models = await context.attached('ai_languageModel', itemIndex);
  const inOrder = [...models].sort((one, other) => one.port - other.port).map(({ handle }) => handle);
  if (inOrder.length === 0) throw new NodeFailure('The agent has no model: connect one', { itemIndex });
  const [memory] = await context.attached('ai_memory', itemIndex);
  const [parser] = options.hasParser ? await context.attached('ai_outputParser', itemIndex) : [];
  return {
    options,
    models: options.hasFallback ? inOrder.slice(0, 2) : inOrder.slice(0, 1),
    memory: memory?.handle,
    parser: parser?.handle,
  };
}

/**
 * Asks the first model, and the second one if the first fails for another reason than the request.
 * @param openText opens the stream of an answer
 */
async function ask({ models }: Equipment, call: ChatCall, openText: () => TextStream | undefined): Promise<ChatResult> {
  const [first, second] = models;
  if (first === undefined) throw new NodeFailure('The agent has no model: connect one');
  try {
    return await streamed(first, call, openText());
  } catch (thrown) {
    if (second === undefined || call.signal?.aborted === true || isFinal(thrown)) throw thrown;
    return streamed(second, call, openText());
  }
}

/** Calls a model, and streams its answer if there are readers. */
async function streamed(model: LanguageModel, call: ChatCall, text: TextStream | undefined): Promise<ChatResult> {
  if (text === undefined) return model.call(call);
  try {
    return await model.call({
      ...call,
      onDelta: (delta) => {
        if (delta.type === 'text') text.write(delta.text);
      },
    });
  } finally {
    text.end();
  }
}

/** True for a bad request, and for a limit: the second model has the same. */
const isFinal = (thrown: unknown): boolean =>
  thrown instanceof NodeFailure && (thrown.context?.['status'] === 400 || thrown.context?.['limit'] !== undefined);

function systemMessages({ systemMessage }: AgentOptions, parser: OutputParser | undefined): ChatMessage[] {
  const form =
    parser === undefined
      ? ''
      : parser.schema === undefined
        ? parser.instructions
        : `Give the final answer with the tool ${FINAL_ANSWER}, once you have all that it needs. Never as text.`;
  const content = [systemMessage, form].filter((text) => text !== '').join('\n\n');
  return content === '' ? [] : [{ role: 'system', content }];
}

/** The form of the final answer as a function. Its arguments are an object: another form is put into one. */
function finalAnswers(parser: OutputParser | undefined): ToolDefinition[] {
  if (parser?.schema === undefined) return [];
  const parameters: JsonObject = isObjectSchema(parser.schema)
    ? parser.schema
    : { type: 'object', properties: { output: parser.schema }, required: ['output'] };
  return [{ name: FINAL_ANSWER, description: 'Gives the final answer to the user, in the required form.', parameters }];
}

const isObjectSchema = (schema: JsonObject): boolean => schema['type'] === 'object';

async function finish(
  conversation: Conversation,
  { options, memory, parser }: Equipment,
  answer: string | ToolCall,
): Promise<AgentStep> {
  let output: JsonObject;
  try {
    output =
      parser === undefined
        ? { output: textOf(answer) }
        : outputOf(await parser.parse(parsedText(answer, parser)), memory !== undefined);
  } catch (thrown) {
    if (conversation.wasCorrected || !(thrown instanceof NodeFailure)) throw thrown;
    return { conversation: corrected(conversation, answer, messageOf(thrown)), requests: [] };
  }
  await memory?.append([
    { role: 'user', content: options.prompt },
    ...withoutNative(conversation.turn.slice(0, -1)),
    { role: 'assistant', content: textOf(answer) },
  ]);
  const json = {
    ...output,
    ...(options.returnsSteps ? { intermediateSteps: intermediateSteps(conversation.turn) } : {}),
  };
  return { conversation: { ...conversation, json }, requests: [] };
}

/**
 * Fields of the item for a parsed answer. As in n8n, an object is the item itself unless the agent has a memory, and a
 * field `output`, in which parsers put their result, is never put into another one.
 */
function outputOf(parsed: Json, hasMemory: boolean): JsonObject {
  if (!isJsonObject(parsed)) return { output: parsed };
  return hasMemory ? { output: parsed['output'] ?? parsed } : parsed;
}

const textOf = (answer: string | ToolCall): string =>
  typeof answer === 'string' ? answer : JSON.stringify(answer.input);

function parsedText(answer: string | ToolCall, { schema }: OutputParser): string {
  if (typeof answer === 'string') return answer;
  const inner = schema === undefined || isObjectSchema(schema) ? answer.input : (answer.input['output'] ?? null);
  return JSON.stringify(inner);
}

/** Tells the model once what is wrong with the form of its answer. */
function corrected(conversation: Conversation, answer: string | ToolCall, fault: string): Conversation {
  const text = `The answer does not have the required form: ${fault}. Give it again.`;
  const message: ChatMessage =
    typeof answer === 'string'
      ? { role: 'user', content: text }
      : { role: 'tool', toolCallId: answer.id, toolName: answer.name, content: text, isError: true };
  return {
    ...conversation,
    turn: [...conversation.turn, message],
    iterations: conversation.iterations + 1,
    wasCorrected: true,
  };
}

/** Messages for the memory: parts that only one service understands belong to this run. */
function withoutNative(turn: readonly ChatMessage[]): ChatMessage[] {
  return turn.map((message) => {
    if (message.role !== 'assistant') return message;
    const { native: _native, thinking: _thinking, ...rest } = message;
    return rest;
  });
}
