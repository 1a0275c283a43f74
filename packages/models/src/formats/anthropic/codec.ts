import { type JsonObject, numberField, objectField, textField } from '@weft/service-kit/json-values';
import type { ChatDelta } from '../../chat-model';
import { LIMITS } from '../../limits';
import { ModelError } from '../../model-error';
import type { Assembly, Codec } from '../codec';
import { malformed } from '../shared/response-parts';
import { checkCallCount, readInput } from '../shared/tool-calls';
import { buildAnthropic } from './build';
import { parseAnthropic } from './parse';

/** Deltas that are pieces of a field of their block. */
const PIECES: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
};

class AnthropicAssembly implements Assembly {
  #message: JsonObject = {};
  readonly #blocks = new Map<number, JsonObject>();
  /** Arguments of tools, which arrive as pieces of JSON. */
  readonly #inputs = new Map<number, string>();
  #calls = 0;
  #isComplete = false;

  push(event: JsonObject): readonly ChatDelta[] {
    const index = numberField(event, 'index') ?? 0;
    switch (textField(event, 'type') ?? '') {
      case 'message_start':
        this.#message = { ...objectField(event, 'message') };
        return [];
      case 'content_block_start':
        return this.#start(index, objectField(event, 'content_block') ?? {});
      case 'content_block_delta':
        return this.#take(index, objectField(event, 'delta') ?? {}, event);
      case 'content_block_stop':
        this.#stop(index);
        return [];
      case 'message_delta': {
        const usage = { ...objectField(this.#message, 'usage'), ...withoutNull(objectField(event, 'usage') ?? {}) };
        this.#message = { ...this.#message, ...objectField(event, 'delta'), usage };
        return [];
      }
      case 'message_stop':
        this.#isComplete = true;
        return [];
      default:
        return [];
    }
  }

  body(): JsonObject | undefined {
    return this.#isComplete ? { ...this.#message, content: [...this.#blocks.values()] } : undefined;
  }

  #start(index: number, block: JsonObject): ChatDelta[] {
    if (this.#blocks.size >= MAX_BLOCKS) throw tooManyBlocks();
    this.#blocks.set(index, { ...block });
    const text = block['type'] === 'text' ? (textField(block, 'text') ?? '') : '';
    if (block['type'] === 'tool_use') {
      checkCallCount(++this.#calls);
      return [{ type: 'toolCall', name: textField(block, 'name') ?? '' }];
    }
    return text === '' ? [] : [{ type: 'text', text }];
  }

  #take(index: number, delta: JsonObject, event: JsonObject): ChatDelta[] {
    const block = this.#blocks.get(index);
    if (block === undefined) throw malformed('anthropic', 'a piece of a block that has not begun', event);
    const type = textField(delta, 'type') ?? '';
    if (type === 'input_json_delta') {
      this.#inputs.set(index, (this.#inputs.get(index) ?? '') + (textField(delta, 'partial_json') ?? ''));
      return [];
    }
    if (type === 'citations_delta') {
      const before = block['citations'];
      const citation = delta['citation'];
      if (citation !== undefined) block['citations'] = [...(Array.isArray(before) ? before : []), citation];
      return [];
    }
    const field = Object.hasOwn(PIECES, type) ? PIECES[type] : undefined;
    if (field === undefined) return [];
    const text = textField(delta, field) ?? '';
    block[field] = (textField(block, field) ?? '') + text;
    if (text === '' || field === 'signature') return [];
    return [{ type: field === 'thinking' ? 'thinking' : 'text', text }];
  }

  /** Arguments that are not JSON stay as text, which the parser of the response reports. */
  #stop(index: number): void {
    const block = this.#blocks.get(index);
    const text = this.#inputs.get(index) ?? '';
    if (block === undefined || text === '') return;
    const { input, fault } = readInput(text);
    block['input'] = fault === undefined ? input : text;
  }
}

/** Later counts are null where an event does not have them. */
const withoutNull = (usage: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null));

/** Blocks of text and thinking alternate with calls. */
const MAX_BLOCKS = 4 * LIMITS.toolCalls;

const tooManyBlocks = (): ModelError =>
  new ModelError('RESPONSE_TOO_LARGE', `The response of the model has more than ${MAX_BLOCKS} parts.`);

export const anthropic: Codec = {
  format: 'anthropic',
  framing: 'sse',
  build: buildAnthropic,
  parse: parseAnthropic,
  assemble: () => new AnthropicAssembly(),
};
