import { type JsonObject, listField, objectField, textField } from '@weft/service-kit/json-values';
import type { ChatDelta } from '../../chat-model';
import type { Assembly, Codec } from '../codec';
import { buildOpenAiResponses } from './build';
import { parseOpenAiResponses } from './parse';

/** The last event of a streamed response has the whole response. */
class OpenAiResponsesAssembly implements Assembly {
  readonly #items: JsonObject[] = [];
  #response: JsonObject | undefined;

  push(event: JsonObject): readonly ChatDelta[] {
    const text = textField(event, 'delta') ?? '';
    const item = objectField(event, 'item');
    switch (textField(event, 'type') ?? '') {
      case 'response.output_text.delta':
        return text === '' ? [] : [{ type: 'text', text }];
      case 'response.reasoning_summary_text.delta':
        return text === '' ? [] : [{ type: 'thinking', text }];
      case 'response.output_item.added':
        return textField(item, 'type') === 'function_call'
          ? [{ type: 'toolCall', name: textField(item, 'name') ?? '' }]
          : [];
      case 'response.output_item.done':
        if (item !== undefined) this.#items.push(item);
        return [];
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        this.#response = objectField(event, 'response');
        return [];
      default:
        return [];
    }
  }

  body(): JsonObject | undefined {
    const response = this.#response;
    if (response === undefined || listField(response, 'output').length > 0) return response;
    return { ...response, output: this.#items };
  }
}

export const openAiResponses: Codec = {
  format: 'openai-responses',
  framing: 'sse',
  build: buildOpenAiResponses,
  parse: parseOpenAiResponses,
  assemble: () => new OpenAiResponsesAssembly(),
};
