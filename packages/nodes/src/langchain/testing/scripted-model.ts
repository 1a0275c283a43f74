import type { LanguageModel, NodeExecutor } from '@weft/engine';
import type { ChatCall, ChatResult, ToolCall } from '@weft/models';
import type { JsonObject } from '@weft/node-catalogue';

/** One answer of a scripted model: text, calls of tools, or an error that is thrown. */
export type ScriptedAnswer =
  string | { readonly text?: string; readonly calls: readonly (readonly [tool: string, input: JsonObject])[] } | Error;

/** A model sub-node that plays a script, and the calls that it has received. */
export interface ScriptedModel {
  readonly executor: Omit<NodeExecutor, 'kind'>;
  readonly calls: ChatCall[];
}

/**
 * Makes a model sub-node that gives the answers of a script in turn, and repeats the last one.
 * @param answers a list, or a function of the number of the call and the call
 */
export function scriptedModel(
  answers: readonly ScriptedAnswer[] | ((number: number, call: ChatCall) => ScriptedAnswer),
): ScriptedModel {
  const calls: ChatCall[] = [];
  const answerTo = (call: ChatCall): ScriptedAnswer => {
    const number = calls.push(call) - 1;
    return typeof answers === 'function' ? answers(number, call) : (answers[number] ?? answers.at(-1) ?? '');
  };
  return {
    calls,
    executor: {
      actsOutside: true,
      run: () => ({ kind: 'items', outputs: [] }),
      supplies: {
        ai_languageModel: (context): LanguageModel => ({
          name: 'scripted',
          enforcesSchema: false,
          call: async (call) => {
            context.countModelCall(10);
            const messages = call.messages.map(({ role, content }) => `${role}: ${JSON.stringify(content)}`);
            return context.record({ messages }, async () => {
              const answer = answerTo(call);
              if (answer instanceof Error) throw answer;
              const result = resultOf(answer, calls.length);
              const { content, toolCalls = [] } = result.message;
              return {
                result,
                output: { text: content, toolCalls: toolCalls.map(({ name, input }) => ({ name, input })) },
                ...(result.usage === undefined ? {} : { usage: result.usage }),
              };
            });
          },
        }),
      },
    },
  };
}

function resultOf(answer: Exclude<ScriptedAnswer, Error>, number: number): ChatResult {
  const text = typeof answer === 'string' ? answer : (answer.text ?? '');
  const toolCalls: ToolCall[] =
    typeof answer === 'string'
      ? []
      : answer.calls.map(([name, input], at) => ({ id: `c${number}_${at}`, name, input }));
  return {
    message: { role: 'assistant', content: text, ...(toolCalls.length === 0 ? {} : { toolCalls }) },
    toolCalls,
    usage: { inputTokens: 100, outputTokens: 10, totalTokens: 110 },
    finish: toolCalls.length === 0 ? 'stop' : 'toolCalls',
    raw: {},
  };
}
