import {
  type Json,
  type JsonObject,
  isJsonObject,
  listField,
  objectField,
  textField,
} from '@weft/service-kit/json-values';
import type { ChatDelta } from '../../chat-model';
import type { Assembly, Codec } from '../codec';
import { checkCallCount } from '../shared/tool-calls';
import { buildGemini } from './build';
import { parseGemini } from './parse';

/** Each event is a response with further parts. Parts with a signature stay as they are; plain text is joined. */
class GeminiAssembly implements Assembly {
  #whole: JsonObject = {};
  #candidate: JsonObject = {};
  readonly #parts: JsonObject[] = [];
  #calls = 0;
  #hasCandidate = false;

  push(event: JsonObject): readonly ChatDelta[] {
    this.#whole = { ...this.#whole, ...event };
    const candidate = listField(event, 'candidates')[0];
    if (!isJsonObject(candidate)) return [];
    this.#hasCandidate = true;
    this.#candidate = { ...this.#candidate, ...candidate };
    return listField(objectField(candidate, 'content'), 'parts').flatMap((part) => this.#take(part));
  }

  body(): JsonObject | undefined {
    if (!this.#hasCandidate) return objectField(this.#whole, 'promptFeedback') === undefined ? undefined : this.#whole;
    if (textField(this.#candidate, 'finishReason') === undefined) return undefined;
    return { ...this.#whole, candidates: [{ ...this.#candidate, content: { role: 'model', parts: this.#parts } }] };
  }

  #take(part: Json): ChatDelta[] {
    if (!isJsonObject(part)) return [];
    const name = textField(objectField(part, 'functionCall'), 'name');
    const text = textField(part, 'text');
    const last = this.#parts.at(-1);
    if (name !== undefined) checkCallCount(++this.#calls);
    if (
      text !== undefined &&
      last !== undefined &&
      isPlain(part) &&
      isPlain(last) &&
      isThought(part) === isThought(last)
    )
      last['text'] = (textField(last, 'text') ?? '') + text;
    else this.#parts.push({ ...part });
    if (name !== undefined) return [{ type: 'toolCall', name }];
    return text === undefined || text === '' ? [] : [{ type: isThought(part) ? 'thinking' : 'text', text }];
  }
}

const isThought = ({ thought }: JsonObject): boolean => thought === true;

/** True for text without a signature or anything else. */
const isPlain = (part: JsonObject): boolean =>
  typeof part['text'] === 'string' && Object.keys(part).every((name) => name === 'text' || name === 'thought');

export const gemini: Codec = {
  format: 'gemini',
  framing: 'sse',
  build: buildGemini,
  parse: parseGemini,
  assemble: () => new GeminiAssembly(),
};
