import { type NodeContext, SHORT_BYTES } from '@weft/engine';
import type { Json } from '@weft/node-catalogue';

/** Maximum levels of nesting that other steps of the service can write again. */
const MAX_DEPTH = 100;

/** Characters that are looked at before others may have the thread: some ten milliseconds on a busy machine. */
const SLICE = 512 * 1024;

/**
 * Parses the JSON of a response. Keys called `__proto__` are left out: merged into another object they would change it.
 * @throws SyntaxError for text that is not JSON, and for JSON nested deeper than 100 levels.
 */
export function parseJsonText(text: string): Json {
  new DepthCheck(text).goTo(text.length);
  return parseChecked(text);
}

/** The same for a text of any length: the thread is left to others before and after each part of the work. */
export async function parseLongJsonText(text: string, pause: NodeContext['pause']): Promise<Json> {
  if (text.length <= SHORT_BYTES) return parseJsonText(text);
  await pause();
  const depth = new DepthCheck(text);
  for (let end = SLICE; end < text.length; end += SLICE) {
    depth.goTo(end);
    await pause();
  }
  depth.goTo(text.length);
  const value = parseChecked(text);
  await pause();
  return value;
}

function parseChecked(text: string): Json {
  const mayHoldProto = text.includes('__proto__') || /\\u005f/i.test(text);
  const value: Json = mayHoldProto ? JSON.parse(text, withoutProto) : JSON.parse(text);
  return value;
}

function withoutProto(key: string, value: Json): Json | undefined {
  return key === '__proto__' ? undefined : value;
}

/** Counts levels of nesting on the text, because a parsed value of a million levels cannot be walked. */
class DepthCheck {
  #depth = 0;
  #inString = false;
  #index = 0;

  constructor(private readonly text: string) {}

  /** Goes on to `end`, or one character further. @throws SyntaxError if there are more than 100 levels at once */
  goTo(end: number): void {
    const { text } = this;
    let depth = this.#depth;
    let inString = this.#inString;
    let index = this.#index;
    for (; index < end; index += 1) {
      const code = text.charCodeAt(index);
      if (inString) {
        if (code === 0x5c) index += 1;
        else if (code === 0x22) inString = false;
      } else if (code === 0x22) inString = true;
      else if (code === 0x7b || code === 0x5b) {
        depth += 1;
        if (depth > MAX_DEPTH) throw new SyntaxError(`The JSON is nested deeper than ${MAX_DEPTH} levels.`);
      } else if (code === 0x7d || code === 0x5d) depth -= 1;
    }
    this.#depth = depth;
    this.#inString = inString;
    this.#index = index;
  }
}
