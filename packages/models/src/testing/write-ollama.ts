import type { JsonObject } from '@weft/service-kit/json-values';
import { type FormatWriter, piecesOf, type ScriptedAnswer } from './script';

const CREATED = '2026-11-30T12:00:00.000000Z';

const endOf = ({ finish = 'stop', usage }: ScriptedAnswer): JsonObject => ({
  done: true,
  done_reason: finish === 'length' ? 'length' : 'stop',
  total_duration: 5_000_000,
  load_duration: 1_000_000,
  ...(usage === undefined ? {} : { prompt_eval_count: usage.input, eval_count: usage.output }),
  prompt_eval_duration: 1_000_000,
  eval_duration: 3_000_000,
});

const callsOf = ({ toolCalls = [] }: ScriptedAnswer): JsonObject[] =>
  toolCalls.map((call, index) => ({
    id: call.id,
    function: { index, name: call.name, arguments: call.input },
  }));

/** `ollama` from the side of the server. It has no refusals: the words are ordinary text. */
export const ollamaWriter: FormatWriter = {
  whole: (answer, model) => {
    const { text, refusal = '', thinking, toolCalls = [] } = answer;
    return {
      model,
      created_at: CREATED,
      message: {
        role: 'assistant',
        content: text ?? refusal,
        ...(thinking === undefined ? {} : { thinking: thinking.text }),
        ...(toolCalls.length === 0 ? {} : { tool_calls: callsOf(answer) }),
      },
      ...endOf(answer),
    };
  },
  events: (answer, model) => {
    const { text, refusal = '', thinking } = answer;
    const part = (fields: JsonObject, end: JsonObject = { done: false }) => ({
      data: { model, created_at: CREATED, message: { role: 'assistant', content: '', ...fields }, ...end },
    });
    return [
      ...piecesOf(thinking?.text ?? '', 9).map((piece) => part({ thinking: piece })),
      ...piecesOf(text ?? refusal, 7).map((piece) => part({ content: piece })),
      ...callsOf(answer).map((call) => part({ tool_calls: [call] })),
      part({}, endOf(answer)),
    ];
  },
  error: ({ message }) => ({ error: message }),
  errorEvent: ({ message }) => ({ data: { error: message } }),
};
