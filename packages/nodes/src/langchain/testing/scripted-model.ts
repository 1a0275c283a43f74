import { type NodeExecutor, NodeFailure } from '@weft/engine';
import type { ChatCall, ChatResult, ContentPart, ToolCall } from '@weft/models';
import type { JsonObject } from '@weft/node-catalogue';

/** One answer of a scripted model: text, calls of tools, or an error that is thrown. */
export type ScriptedAnswer =
  string | { readonly text?: string; readonly calls: readonly (readonly [tool: string, input: JsonObject])[] } | Error;

/** Answers of a model: to each call the next entry, and after the last one that one again. */
export interface ModelScript {
  readonly answers: readonly ScriptedAnswer[] | ((call: ChatCall, index: number) => ScriptedAnswer);
  /** False by default, so that prompts describe forms. */
  readonly enforcesSchema?: boolean;
  readonly answersJson?: boolean;
}

/** A model without a service. */
export interface ScriptedModel {
  /** The sub-node that provides it. */
  readonly executor: Omit<NodeExecutor, 'kind'>;
  /** All calls of it so far. */
  readonly calls: readonly ChatCall[];
}

/** Tokens of every answer. */
const USAGE = { inputTokens: 10, outputTokens: 2, totalTokens: 12 };

/** A sub-node of type `ai_languageModel` that plays a script. Its calls are counted and recorded as those of others. */
export function scriptedModel({ answers, enforcesSchema = false, answersJson }: ModelScript): ScriptedModel {
  const calls: ChatCall[] = [];
  const next = (call: ChatCall): ScriptedAnswer => {
    const index = calls.length - 1;
    if (typeof answers === 'function') return answers(call, index);
    return answers[Math.min(index, answers.length - 1)] ?? '';
  };
  const executor: Omit<NodeExecutor, 'kind'> = {
    actsOutside: true,
    run: () => {
      throw new NodeFailure('A sub-node does not run');
    },
    supplies: {
      ai_languageModel: (context) => ({
        name: 'scripted',
        enforcesSchema,
        ...(answersJson === undefined ? {} : { answersJson }),
        call: (call) =>
          context.callModel(
            { operation: 'chat', provider: 'openai', model: 'scripted', estimatedTokens: 10, request: call },
            async () => {
              const input = { messages: call.messages.map(({ content }) => JSON.stringify(content)) };
              const result = await context.record(input, async () => {
                calls.push(call);
                const answer = next(call);
                if (answer instanceof Error) throw answer;
                const made = resultOf(answer, calls.length);
                return { result: made, output: { text: made.message.content } };
              });
              return { result, response: { usage: USAGE, finish: result.finish, message: result.message } };
            },
          ),
      }),
    },
  };
  return { executor, calls };
}

function resultOf(answer: Exclude<ScriptedAnswer, Error>, number: number): ChatResult {
  const content = typeof answer === 'string' ? answer : (answer.text ?? '');
  const toolCalls: ToolCall[] =
    typeof answer === 'string'
      ? []
      : answer.calls.map(([name, input], at) => ({ id: `c${number}_${at}`, name, input }));
  return {
    message: { role: 'assistant', content, ...(toolCalls.length === 0 ? {} : { toolCalls }) },
    toolCalls,
    usage: USAGE,
    finish: toolCalls.length === 0 ? 'stop' : 'toolCalls',
    raw: {},
  };
}

/** Text of the messages of a call, one after the other. */
export function promptOf({ messages }: ChatCall): string {
  return messages
    .map(({ content }) => (typeof content === 'string' ? content : content.map(shown).join('\n')))
    .join('\n');
}

function shown(part: ContentPart): string {
  return part.type === 'text' ? part.text : `(${part.type})`;
}
