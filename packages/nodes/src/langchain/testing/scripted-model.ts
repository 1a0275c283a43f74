import { type NodeExecutor, NodeFailure } from '@weft/engine';
import type { ChatCall, ChatResult, ContentPart } from '@weft/models';

/** What a model answers: to each call the next entry, and after the last one that one again. An error is thrown. */
export interface ModelScript {
  readonly answers: readonly (string | Error)[] | ((call: ChatCall, index: number) => string | Error);
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

/** A sub-node of type `ai_languageModel` that plays a script. Its calls are counted and recorded as those of others. */
export function scriptedModel({ answers, enforcesSchema = false, answersJson }: ModelScript): ScriptedModel {
  const calls: ChatCall[] = [];
  const next = (call: ChatCall): string | Error => {
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
        call: (call) => {
          context.countModelCall(10);
          return context.record({ messages: call.messages.map(({ content }) => JSON.stringify(content)) }, async () => {
            calls.push(call);
            const answer = next(call);
            if (answer instanceof Error) throw answer;
            const result = resultOf(answer);
            return { result, output: { text: answer }, ...(result.usage === undefined ? {} : { usage: result.usage }) };
          });
        },
      }),
    },
  };
  return { executor, calls };
}

function resultOf(content: string): ChatResult {
  return {
    message: { role: 'assistant', content },
    toolCalls: [],
    usage: { inputTokens: 10, outputTokens: 2, totalTokens: 12 },
    finish: 'stop',
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
