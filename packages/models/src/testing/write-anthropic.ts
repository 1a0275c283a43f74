import type { JsonObject } from '@weft/service-kit/json-values';
import {
  type FormatWriter,
  inputText,
  piecesOf,
  type ScriptedAnswer,
  type ScriptedError,
  type WrittenEvent,
} from './script';

const reasonOf = ({ finish = 'stop', toolCalls = [], refusal }: ScriptedAnswer): string => {
  if (refusal !== undefined || finish === 'contentFilter') return 'refusal';
  if (finish === 'length') return 'max_tokens';
  return toolCalls.length > 0 ? 'tool_use' : 'end_turn';
};

const inputUsage = ({ usage }: ScriptedAnswer): JsonObject => ({
  input_tokens: (usage?.input ?? 0) - (usage?.cached ?? 0),
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: usage?.cached ?? 0,
});

const blocksOf = ({ text, thinking, toolCalls = [] }: ScriptedAnswer): JsonObject[] => [
  ...(thinking === undefined ? [] : [{ type: 'thinking', thinking: thinking.text, signature: thinking.signature }]),
  ...(text === undefined ? [] : [{ type: 'text', text }]),
  ...toolCalls.map((call) => ({ type: 'tool_use', id: call.id, name: call.name, input: call.input })),
];

const messageOf = (answer: ScriptedAnswer, model: string): JsonObject => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model,
  content: blocksOf(answer),
  stop_reason: reasonOf(answer),
  stop_sequence: null,
  usage: { ...inputUsage(answer), output_tokens: answer.usage?.output ?? 0 },
});

const event = (type: string, fields: JsonObject): WrittenEvent => ({ event: type, data: { type, ...fields } });

const blockEvents = (block: JsonObject, index: number, answer: ScriptedAnswer): WrittenEvent[] => {
  const delta = (type: string, fields: JsonObject): WrittenEvent =>
    event('content_block_delta', { index, delta: { type, ...fields } });
  const between = (begun: JsonObject, deltas: WrittenEvent[]): WrittenEvent[] => [
    event('content_block_start', { index, content_block: begun }),
    ...deltas,
    event('content_block_stop', { index }),
  ];
  if (block['type'] === 'text')
    return between(
      { type: 'text', text: '' },
      piecesOf(answer.text ?? '', 7).map((text) => delta('text_delta', { text })),
    );
  if (block['type'] === 'thinking')
    return between({ type: 'thinking', thinking: '', signature: '' }, [
      ...piecesOf(answer.thinking?.text ?? '', 9).map((thinking) => delta('thinking_delta', { thinking })),
      delta('signature_delta', { signature: answer.thinking?.signature ?? '' }),
    ]);
  const call = (answer.toolCalls ?? []).find(({ id }) => id === block['id']);
  return between({ ...block, input: {} }, [
    delta('input_json_delta', { partial_json: '' }),
    ...piecesOf(call === undefined ? '' : inputText(call), 5).map((part) =>
      delta('input_json_delta', { partial_json: part }),
    ),
  ]);
};

const errorBody = ({ message, code = 'invalid_request_error' }: ScriptedError): JsonObject => ({
  type: 'error',
  error: { type: code, message },
  request_id: 'req_1',
});

/** `anthropic` from the side of the service. */
export const anthropicWriter: FormatWriter = {
  whole: messageOf,
  events: (answer, model) => [
    event('message_start', {
      message: {
        ...messageOf(answer, model),
        content: [],
        stop_reason: null,
        usage: { ...inputUsage(answer), output_tokens: 1 },
      },
    }),
    event('ping', {}),
    ...blocksOf(answer).flatMap((block, index) => blockEvents(block, index, answer)),
    event('message_delta', {
      delta: { stop_reason: reasonOf(answer), stop_sequence: null },
      usage: { output_tokens: answer.usage?.output ?? 0 },
    }),
    event('message_stop', {}),
  ],
  error: errorBody,
  errorEvent: (error) => ({ event: 'error', data: errorBody(error) }),
};
