import { parseTree, type ParseError } from 'jsonc-parser';
import { EditError } from '../edit-error';

/** The limits of the services, so that what is edited here can be stored there. */
const TEXT_LIMITS = { characters: 10_000_000, depth: 100 } as const;

/**
 * Parses untrusted JSON.
 * @param what begins the messages, for example `The workflow`
 * @throws EditError `INVALID_JSON` with the position: broken JSON, more than 10 million characters, deeper than 100
 * levels, a number that no double can hold, or the key `__proto__`
 */
export function parseChecked(text: string, what: string): unknown {
  if (text.length > TEXT_LIMITS.characters)
    throw invalid(`${what} has more than ${TEXT_LIMITS.characters.toLocaleString('en')} characters.`);
  const tooDeep = positionTooDeep(text);
  if (tooDeep !== undefined) throw invalid(`${what} is nested deeper than ${TEXT_LIMITS.depth} levels.`, tooDeep);
  let refused: string | undefined;
  const parsed = parse(text, what, (key, value) => {
    if (key === '__proto__') refused ??= `${what} has the key \`__proto__\`, which is not allowed.`;
    else if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY)
      refused ??= `${what} has a number that is too large${key === '' ? '' : `, at the key ${JSON.stringify(key)}`}.`;
  });
  if (refused !== undefined) throw invalid(refused);
  return parsed;
}

/** A reviver costs four times as much as parsing without one, and little JSON can contain what it looks for. */
function parse(text: string, what: string, check: (key: string, value: unknown) => void): unknown {
  const isSuspicious = /__proto__|\\u00[567]|[eE]\+?\d{3}|\d{200}/.test(text);
  try {
    if (!isSuspicious) return JSON.parse(text);
    JSON.parse(text, (key, value: unknown) => {
      check(key, value);
      return value;
    });
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const errors: ParseError[] = [];
    parseTree(text, errors, { disallowComments: true });
    const position = errors[0]?.offset ?? text.length;
    throw invalid(`${what} is not valid JSON: ${reasonOf(text, position)}.`, position);
  }
}

function reasonOf(text: string, position: number): string {
  if (position >= text.length) return 'it ends too early';
  const line = text.slice(0, position).split('\n').length;
  return `unexpected ${JSON.stringify(text.slice(position, position + 1))} on line ${line}`;
}

/** Position of the first bracket that is nested too deep. Strings are skipped; broken JSON is left to the parser. */
function positionTooDeep(text: string): number | undefined {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') {
      for (index += 1; index < text.length && text[index] !== '"'; index += 1) if (text[index] === '\\') index += 1;
    } else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > TEXT_LIMITS.depth) return index;
    } else if (character === '}' || character === ']') depth -= 1;
  }
  return undefined;
}

function invalid(message: string, position?: number): EditError {
  return new EditError('INVALID_JSON', message, position);
}
