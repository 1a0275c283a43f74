import type { JsonObject } from '@weft/service-kit/json-values';
import { type FormatWriter, inputText, piecesOf, type ScriptedAnswer, type ScriptedError } from './script';

const CREATED = 1_790_000_000;

const reasonOf = ({ finish = 'stop', toolCalls = [] }: ScriptedAnswer): string => {
  if (finish === 'length') return 'length';
  if (finish === 'contentFilter') return 'content_filter';
  return toolCalls.length > 0 ? 'tool_calls' : 'stop';
};

const usageOf = ({ usage }: ScriptedAnswer): JsonObject | undefined =>
  usage && {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
    completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
  };

/** `openai-chat` from the side of the service. Thinking is `reasoning_content`, as DeepSeek has it. */
export const openAiChatWriter: FormatWriter = {
  whole: (answer, model) => {
    const { text, thinking, toolCalls = [], refusal } = answer;
    const usage = usageOf(answer);
    return {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: CREATED,
      model,
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: text ?? null,
            refusal: refusal ?? null,
            ...(thinking === undefined ? {} : { reasoning_content: thinking.text }),
            ...(toolCalls.length === 0
              ? {}
              : {
                  tool_calls: toolCalls.map((call) => ({
                    id: call.id,
                    type: 'function',
                    function: { name: call.name, arguments: inputText(call) },
                  })),
                }),
          },
          logprobs: null,
          finish_reason: reasonOf(answer),
        },
      ],
      ...(usage === undefined ? {} : { usage }),
    };
  },
  events: (answer, model) => {
    const { text = '', thinking, toolCalls = [], refusal = '' } = answer;
    const usage = usageOf(answer);
    const chunk = (choices: JsonObject[], more: JsonObject = {}) => ({
      data: { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: CREATED, model, choices, ...more },
    });
    const delta = (fields: JsonObject) => chunk([{ index: 0, delta: fields, finish_reason: null }]);
    const piece = (index: number, fields: JsonObject) => delta({ tool_calls: [{ index, ...fields }] });
    return [
      delta({ role: 'assistant', content: '' }),
      ...piecesOf(thinking?.text ?? '', 9).map((part) => delta({ reasoning_content: part })),
      ...piecesOf(text, 7).map((part) => delta({ content: part })),
      ...piecesOf(refusal, 9).map((part) => delta({ refusal: part })),
      ...toolCalls.flatMap((call, index) => [
        piece(index, { id: call.id, type: 'function', function: { name: call.name, arguments: '' } }),
        ...piecesOf(inputText(call), 5).map((part) => piece(index, { function: { arguments: part } })),
      ]),
      chunk([{ index: 0, delta: {}, finish_reason: reasonOf(answer) }]),
      ...(usage === undefined ? [] : [chunk([], { usage })]),
      { data: '[DONE]' as const },
    ];
  },
  error: (error) => errorBody(error),
  errorEvent: (error) => ({ data: errorBody(error) }),
};

/** Errors of OpenAI, in both of its formats. */
export const errorBody = ({ message, code = '', status }: ScriptedError): JsonObject => ({
  error: {
    message,
    type: status === 429 ? 'requests' : 'invalid_request_error',
    param: null,
    code: code === '' ? null : code,
  },
});
