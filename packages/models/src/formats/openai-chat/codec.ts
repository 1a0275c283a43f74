import {
  type Json,
  type JsonObject,
  field,
  isJsonObject,
  listField,
  numberField,
  objectField,
  textField,
} from '@weft/service-kit/json-values';
import type { ChatDelta } from '../../chat-model';
import type { Assembly, Codec } from '../codec';
import { ToolCallPieces } from '../shared/tool-calls';
import { buildOpenAiChat } from './build';
import { parseOpenAiChat, textOf, thinkingOf } from './parse';

/** Fields of a chunk that are the same in all, or that only the last ones have. */
const KEPT = ['id', 'model', 'created', 'system_fingerprint', 'service_tier', 'provider', 'usage', 'x_groq'];
/** Fields of a message that arrive as pieces of one string. */
const TEXTS = ['refusal', 'reasoning_content', 'reasoning'] as const;

/** Puts the chunks of a streamed response together. Only the first choice is read. */
class OpenAiChatAssembly implements Assembly {
  readonly #kept: JsonObject = {};
  readonly #calls = new ToolCallPieces<number>();
  readonly #texts = new Map<string, string>();
  /** Details of reasoning by their index, whose strings arrive in pieces. */
  readonly #details = new Map<number, JsonObject>();
  #content = '';
  #thinking = '';
  #finish: string | undefined;
  #lastCall = 0;

  push(event: JsonObject): readonly ChatDelta[] {
    for (const name of KEPT) {
      const value = event[name];
      if (value !== undefined && value !== null) this.#kept[name] = value;
    }
    const choice = listField(event, 'choices').find((one) => (numberField(one, 'index') ?? 0) === 0);
    this.#finish = textField(choice, 'finish_reason') ?? this.#finish;
    // Some servers send the last chunk with the message in place of a delta.
    const delta = objectField(choice, 'delta');
    return delta === undefined ? [] : this.#take(delta);
  }

  body(): JsonObject | undefined {
    if (this.#finish === undefined) return undefined;
    const calls = this.#calls.all();
    return {
      ...this.#kept,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: this.#wholeContent(),
            ...Object.fromEntries(this.#texts),
            ...(this.#details.size === 0 ? {} : { reasoning_details: [...this.#details.values()] }),
            ...(calls.length === 0
              ? {}
              : {
                  tool_calls: calls.map(({ id, name, arguments: text, extra }) => ({
                    id,
                    type: 'function',
                    function: { name, arguments: text },
                    ...(extra === undefined ? {} : { extra_content: extra }),
                  })),
                }),
          },
          finish_reason: this.#finish,
        },
      ],
    };
  }

  #wholeContent(): Json {
    if (this.#thinking === '') return this.#content;
    return [
      { type: 'thinking', thinking: [{ type: 'text', text: this.#thinking }] },
      { type: 'text', text: this.#content },
    ];
  }

  #take(delta: JsonObject): ChatDelta[] {
    const deltas: ChatDelta[] = [];
    const tell = (type: 'text' | 'thinking', text: string): void => {
      if (text !== '') deltas.push({ type, text });
    };
    for (const name of TEXTS) {
      const text = textField(delta, name);
      if (text === undefined) continue;
      this.#texts.set(name, (this.#texts.get(name) ?? '') + text);
      // the same thinking under two names is reported once
      if (name === 'reasoning_content' || (name === 'reasoning' && textField(delta, 'reasoning_content') === undefined))
        tell('thinking', text);
    }
    for (const detail of listField(delta, 'reasoning_details')) if (isJsonObject(detail)) this.#detail(detail);
    this.#takeContent(delta['content'], tell);
    for (const piece of listField(delta, 'tool_calls')) {
      const name = this.#takeCall(piece);
      if (name !== undefined) deltas.push({ type: 'toolCall', name });
    }
    return deltas;
  }

  #takeContent(content: Json | undefined, tell: (type: 'text' | 'thinking', text: string) => void): void {
    const parts =
      typeof content === 'string' ? [{ type: 'text', text: content }] : Array.isArray(content) ? content : [];
    for (const part of parts) {
      const text = textOf(part);
      const thinking = thinkingOf(part);
      this.#content += text;
      this.#thinking += thinking;
      tell('thinking', thinking);
      tell('text', text);
    }
  }

  /** @returns the name of a call that begins */
  #takeCall(piece: Json): string | undefined {
    const id = textField(piece, 'id') ?? '';
    const { name, arguments: input } = objectField(piece, 'function') ?? {};
    const call = this.#calls.at(this.#keyOf(piece, id));
    const begins = call.name === '' && typeof name === 'string' && name !== '';
    if (id !== '') call.id = id;
    if (begins) call.name = name;
    const extra = field(piece, 'extra_content');
    if (extra !== undefined) call.extra = extra;
    // whole arguments come as an object from some servers
    if (typeof input === 'string') call.arguments += input;
    else if (isJsonObject(input)) call.arguments += JSON.stringify(input);
    return begins ? name : undefined;
  }

  /** Pieces without an index belong to the last call, unless they bring another id. */
  #keyOf(piece: Json, id: string): number {
    const index = numberField(piece, 'index');
    if (index !== undefined) return (this.#lastCall = index);
    const isNext = id !== '' && this.#calls.has(this.#lastCall) && this.#calls.at(this.#lastCall).id !== id;
    if (isNext) this.#lastCall += 1;
    return this.#lastCall;
  }

  #detail(detail: JsonObject): void {
    const index = numberField(detail, 'index') ?? 0;
    const known = this.#details.get(index);
    if (known === undefined) return void this.#details.set(index, { ...detail });
    for (const [name, value] of Object.entries(detail)) {
      const before = known[name];
      const isPiece = ['text', 'summary', 'data'].includes(name);
      known[name] = isPiece && typeof value === 'string' && typeof before === 'string' ? before + value : value;
    }
  }
}

export const openAiChat: Codec = {
  format: 'openai-chat',
  framing: 'sse',
  build: buildOpenAiChat,
  parse: parseOpenAiChat,
  assemble: () => new OpenAiChatAssembly(),
};
