import {
  type Json,
  type JsonObject,
  listField,
  numberField,
  objectField,
  textField,
} from '@weft/service-kit/json-values';
import type { ChatDelta, ChatResult } from '../../chat-model';
import type { Assembly, Codec } from '../codec';
import { malformed, resultOf, usageOf } from '../shared/response-parts';
import { checkCallCount, functionCallsIn, readToolCalls } from '../shared/tool-calls';
import { buildOllama } from './build';

/** Reads a complete response. @throws ModelError */
function parse(body: JsonObject): ChatResult {
  const message = objectField(body, 'message');
  if (message === undefined) throw malformed('ollama', 'no message', body);
  const reason = textField(body, 'done_reason') ?? 'stop';
  return resultOf({
    text: textField(message, 'content') ?? '',
    thinking: textField(message, 'thinking') ?? '',
    toolCalls: readToolCalls(functionCallsIn(message)),
    usage: usageOf({ input: numberField(body, 'prompt_eval_count'), output: numberField(body, 'eval_count') }),
    finish: reason === 'stop' || reason === 'length' ? reason : 'other',
    raw: body,
  });
}

class OllamaAssembly implements Assembly {
  readonly #calls: Json[] = [];
  #content = '';
  #thinking = '';
  #last: JsonObject | undefined;

  push(event: JsonObject): readonly ChatDelta[] {
    const message = objectField(event, 'message');
    const text = textField(message, 'content') ?? '';
    const thinking = textField(message, 'thinking') ?? '';
    const calls = listField(message, 'tool_calls');
    this.#content += text;
    this.#thinking += thinking;
    checkCallCount(this.#calls.length + calls.length);
    this.#calls.push(...calls);
    if (event['done'] === true) this.#last = event;
    return [
      ...(thinking === '' ? [] : [{ type: 'thinking', text: thinking } as const]),
      ...(text === '' ? [] : [{ type: 'text', text } as const]),
      ...calls.map(
        (call) => ({ type: 'toolCall', name: textField(objectField(call, 'function'), 'name') ?? '' }) as const,
      ),
    ];
  }

  body(): JsonObject | undefined {
    if (this.#last === undefined) return undefined;
    return {
      ...this.#last,
      message: {
        role: 'assistant',
        content: this.#content,
        ...(this.#thinking === '' ? {} : { thinking: this.#thinking }),
        ...(this.#calls.length === 0 ? {} : { tool_calls: this.#calls }),
      },
    };
  }
}

export const ollama: Codec = {
  format: 'ollama',
  framing: 'ndjson',
  build: buildOllama,
  parse,
  assemble: () => new OllamaAssembly(),
};
