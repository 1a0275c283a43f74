import type { JsonObject } from '@weft/service-kit/json-values';
import { type FormatWriter, inputText, piecesOf, type ScriptedAnswer, type WrittenEvent } from './script';
import { errorBody } from './write-openai-chat';

const itemsOf = ({ text, thinking, toolCalls = [], refusal }: ScriptedAnswer): JsonObject[] => [
  ...(thinking === undefined
    ? []
    : [
        {
          id: 'rs_1',
          type: 'reasoning',
          summary: [{ type: 'summary_text', text: thinking.text }],
          encrypted_content: thinking.signature,
        },
      ]),
  ...(text === undefined && refusal === undefined
    ? []
    : [
        {
          id: 'msg_1',
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content: [
            refusal === undefined
              ? { type: 'output_text', text: text ?? '', annotations: [], logprobs: [] }
              : { type: 'refusal', refusal },
          ],
        },
      ]),
  ...toolCalls.map((call, index) => ({
    id: `fc_${index + 1}`,
    type: 'function_call',
    status: 'completed',
    call_id: call.id,
    name: call.name,
    arguments: inputText(call),
  })),
];

const responseOf = (answer: ScriptedAnswer, model: string): JsonObject => {
  const { usage, finish = 'stop' } = answer;
  const reason = { stop: null, length: 'max_output_tokens', contentFilter: 'content_filter' }[finish];
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1_790_000_000,
    status: reason === null ? 'completed' : 'incomplete',
    error: null,
    incomplete_details: reason === null ? null : { reason },
    instructions: null,
    max_output_tokens: null,
    model,
    output: itemsOf(answer),
    parallel_tool_calls: true,
    previous_response_id: null,
    store: false,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    metadata: {},
    usage:
      usage === undefined
        ? null
        : {
            input_tokens: usage.input,
            input_tokens_details: { cached_tokens: usage.cached ?? 0 },
            output_tokens: usage.output,
            output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
            total_tokens: usage.input + usage.output,
          },
  };
};

/** Events of one item, in the order of the service. */
const itemEvents = (item: JsonObject, index: number, answer: ScriptedAnswer): WrittenEvent[] => {
  const at = { item_id: item['id'] ?? '', output_index: index };
  const event = (type: string, fields: JsonObject): WrittenEvent => ({ event: type, data: { type, ...fields } });
  const begun = { ...item, status: 'in_progress' };
  const whole = event('response.output_item.done', { output_index: index, item });
  if (item['type'] === 'function_call') {
    const text = String(item['arguments']);
    return [
      event('response.output_item.added', { output_index: index, item: { ...begun, arguments: '' } }),
      ...piecesOf(text, 5).map((delta) => event('response.function_call_arguments.delta', { ...at, delta })),
      event('response.function_call_arguments.done', { ...at, name: item['name'] ?? '', arguments: text }),
      whole,
    ];
  }
  if (item['type'] === 'reasoning') {
    const text = answer.thinking?.text ?? '';
    const part = { ...at, summary_index: 0 };
    return [
      event('response.output_item.added', { output_index: index, item: { ...item, summary: [] } }),
      event('response.reasoning_summary_part.added', { ...part, part: { type: 'summary_text', text: '' } }),
      ...piecesOf(text, 9).map((delta) => event('response.reasoning_summary_text.delta', { ...part, delta })),
      event('response.reasoning_summary_text.done', { ...part, text }),
      event('response.reasoning_summary_part.done', { ...part, part: { type: 'summary_text', text } }),
      whole,
    ];
  }
  const part = { ...at, content_index: 0 };
  const isRefusal = answer.refusal !== undefined;
  const text = answer.refusal ?? answer.text ?? '';
  const name = isRefusal ? 'refusal' : 'output_text';
  const content = (own: string): JsonObject =>
    isRefusal ? { type: 'refusal', refusal: own } : { type: 'output_text', text: own, annotations: [], logprobs: [] };
  const more: JsonObject = isRefusal ? {} : { logprobs: [] };
  return [
    event('response.output_item.added', { output_index: index, item: { ...begun, content: [] } }),
    event('response.content_part.added', { ...part, part: content('') }),
    ...piecesOf(text, 7).map((delta) => event(`response.${name}.delta`, { ...part, delta, ...more })),
    event(`response.${name}.done`, { ...part, [isRefusal ? 'refusal' : 'text']: text, ...more }),
    event('response.content_part.done', { ...part, part: content(text) }),
    whole,
  ];
};

/** `openai-responses` from the side of the service. */
export const openAiResponsesWriter: FormatWriter = {
  whole: responseOf,
  events: (answer, model) => {
    const response = responseOf(answer, model);
    const begun = { ...response, status: 'in_progress', output: [], usage: null, incomplete_details: null };
    const end = response['status'] === 'completed' ? 'response.completed' : 'response.incomplete';
    const events: WrittenEvent[] = [
      { event: 'response.created', data: { type: 'response.created', response: begun } },
      { event: 'response.in_progress', data: { type: 'response.in_progress', response: begun } },
      ...itemsOf(answer).flatMap((item, index) => itemEvents(item, index, answer)),
      { event: end, data: { type: end, response } },
    ];
    return events.map(({ event = '', data }, index) => ({
      event,
      data: data === '[DONE]' ? data : { ...data, sequence_number: index },
    }));
  },
  error: errorBody,
  errorEvent: ({ message, code = 'server_error' }) => ({
    event: 'error',
    data: { type: 'error', sequence_number: 1, code, message, param: null },
  }),
};
