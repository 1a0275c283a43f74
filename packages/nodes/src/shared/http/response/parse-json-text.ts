import type { NodeContext } from '@weft/engine';
import type { Json } from '@weft/node-catalogue';
import { runToEnd, SHORT_BYTES, walkJson } from '@weft/service-kit/json';

/** Maximum levels of nesting that later steps of the service can serialize. */
const MAX_DEPTH = 100;

/** Number of characters scanned before yielding: about ten milliseconds on a busy machine. */
const SLICE = 512 * 1024;

/**
 * Parses the JSON of a response. Drops keys called `__proto__`, which would change an object they are merged into.
 * @throws SyntaxError for invalid JSON, and for JSON nested deeper than 100 levels
 */
export function parseJsonText(text: string): Json {
  new DepthCheck(text).goTo(text.length);
  const value: Json = JSON.parse(text);
  runToEnd(leaveOutProto(text, value));
  return value;
}

/** As `parseJsonText` for text of any length: yields the thread before and after each part of the work. */
export async function parseLongJsonText(text: string, pause: NodeContext['pause']): Promise<Json> {
  if (text.length <= SHORT_BYTES) return parseJsonText(text);
  await pause();
  const depth = new DepthCheck(text);
  for (let end = SLICE; end < text.length; end += SLICE) {
    depth.goTo(end);
    await pause();
  }
  depth.goTo(text.length);
  const value: Json = JSON.parse(text);
  await pause();
  for (const _ of leaveOutProto(text, value)) await pause();
  return value;
}

function* leaveOutProto(text: string, value: Json): Generator<undefined, void> {
  if (text.includes('__proto__') || /\\u005f/i.test(text))
    yield* walkJson(value, { onProto: (object) => void Reflect.deleteProperty(object, '__proto__') });
}

/**
 * Counts levels of nesting in the text. `JSON.parse` takes 65 bytes outside the heap for each open level: a 10 MB
 * response that only opens arrays would take 650 MB.
 */
class DepthCheck {
  #depth = 0;
  #inString = false;
  #index = 0;

  constructor(private readonly text: string) {}

  /** Continues to `end`, or one character further. @throws SyntaxError for more than 100 open levels */
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
