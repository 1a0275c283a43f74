import type { Json } from '@weft/node-catalogue';
import { runToEnd, walkJson } from '@weft/service-kit/json';
import { Misfit } from './misfit';

/** Limits on the text of an answer that is read as JSON. */
export const ANSWER_LIMITS = { characters: 1_048_576, depth: 64 } as const;
/** Parts of a text that are tried. */
const MAX_PARTS = 4;

/**
 * The JSON values in the answer of a model, the likeliest first: the whole text, the content of fenced blocks, and
 * objects and lists with text around them.
 * @throws Misfit if there is none, beyond the limits, and for a key `__proto__`
 */
export function readAnswerJson(text: string): readonly Json[] {
  if (text.length > ANSWER_LIMITS.characters)
    throw new Misfit(`It has ${text.length} characters; at most ${ANSWER_LIMITS.characters} are read.`);
  const whole = text.trim();
  if (whole === '') throw new Misfit('It is empty. The model may have used all of its tokens: allow it more.');
  const values = [whole, ...fencedBlocks(whole), ...enclosed(whole)].flatMap((part) => {
    const value = parse(part);
    return value === undefined ? [] : [value];
  });
  if (values.length === 0) throw new Misfit('It is not valid JSON.');
  return values;
}

/** Contents of blocks between lines of three backticks. */
function fencedBlocks(text: string): string[] {
  const parts = text.split('```', 2 * MAX_PARTS + 1);
  return parts.flatMap((part, index) => {
    if (index % 2 === 0) return [];
    const lineEnd = part.indexOf('\n');
    const language = lineEnd === -1 ? '' : part.slice(0, lineEnd).trim();
    return [/^[a-z0-9]{0,20}$/i.test(language) ? part.slice(lineEnd + 1) : part];
  });
}

/** Objects and lists, from their first character to the one that closes them. */
function enclosed(text: string): string[] {
  const found: string[] = [];
  let from = nextOpening(text, 0);
  for (let tries = 0; from !== -1 && tries < MAX_PARTS; tries += 1) {
    const end = closingAt(text, from);
    if (end !== -1) found.push(text.slice(from, end + 1));
    // a bracket that is not closed belongs to the text around
    from = nextOpening(text, (end === -1 ? from : end) + 1);
  }
  return found;
}

function nextOpening(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) if (text[at] === '{' || text[at] === '[') return at;
  return -1;
}

/** Index of the bracket that closes the one at `from`; -1 if none does. Brackets in strings do not count. */
function closingAt(text: string, from: number): number {
  let depth = 0;
  let inString = false;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

const RULES = {
  maxDepth: ANSWER_LIMITS.depth,
  onTooDeep: () => {
    throw new Misfit(`It is nested deeper than ${ANSWER_LIMITS.depth} levels.`);
  },
  onProto: () => {
    throw new Misfit('It has a key "__proto__".');
  },
  onInfinite: () => {
    throw new Misfit('It has a number beyond 1.8e308.');
  },
};

function parse(text: string): Json | undefined {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  runToEnd(walkJson(value, RULES));
  return value;
}
