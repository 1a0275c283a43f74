import type { Json } from '@weft/node-catalogue';

/** Maximum levels of nesting that other steps of the service can write again. */
const MAX_DEPTH = 100;

/**
 * Parses the JSON of a response. Keys called `__proto__` are left out: merged into another object they would change it.
 * @throws SyntaxError for text that is not JSON, and for JSON nested deeper than 100 levels.
 */
export function parseJsonText(text: string): Json {
  if (nestsDeeper(text, MAX_DEPTH)) throw new SyntaxError(`The JSON is nested deeper than ${MAX_DEPTH} levels.`);
  const mayHoldProto = text.includes('__proto__') || /\\u005f/i.test(text);
  const value: Json = mayHoldProto ? JSON.parse(text, withoutProto) : JSON.parse(text);
  return value;
}

function withoutProto(key: string, value: Json): Json | undefined {
  return key === '__proto__' ? undefined : value;
}

/** Counted on the text, because a parsed value of a million levels cannot be walked. */
function nestsDeeper(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 0x5c) index += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > limit) return true;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return false;
}
