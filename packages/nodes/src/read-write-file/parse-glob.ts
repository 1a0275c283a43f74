import { NodeFailure } from '@weft/engine';

/** One token of a pattern. */
export type GlobToken =
  | { readonly kind: 'char'; readonly value: string }
  /** One character of a name. */
  | { readonly kind: 'set'; readonly has: (char: string) => boolean }
  /** Any part of a name. */
  | { readonly kind: 'star' }
  /** Any number of folders, each with its slash. */
  | { readonly kind: 'folders' }
  /** The rest of a path, at least one character. */
  | { readonly kind: 'rest' };

type Tokens = readonly GlobToken[];

const MAX_ALTERNATIVES = 100;
const MAX_DEPTH = 10;
/** Maximum total number of tokens. With the maximum path length it bounds the time per file. */
const MAX_TOKENS = 1_000;
const SPECIAL = '()[]{}*?!,|\\';
const ANY: GlobToken = { kind: 'set', has: () => true };

/**
 * The alternatives of a pattern, without braces and groups.
 * @throws NodeFailure for unsupported syntax, and for too many alternatives
 */
export function globAlternatives(pattern: string, brackets: 'literal' | 'syntax'): Tokens[] {
  const parser = new GlobParser([...pattern], brackets === 'syntax');
  return parser.parse();
}

class GlobParser {
  readonly #chars: readonly string[];
  readonly #hasBrackets: boolean;
  #at = 0;

  constructor(chars: readonly string[], hasBrackets: boolean) {
    this.#chars = chars;
    this.#hasBrackets = hasBrackets;
  }

  parse(): Tokens[] {
    return this.#sequence('', 0);
  }

  /** Everything up to one of the ends, which is not consumed, or up to the end of the pattern. */
  #sequence(ends: string, depth: number): Tokens[] {
    if (depth > MAX_DEPTH) throw new NodeFailure(`The file selector nests more than ${MAX_DEPTH} deep.`);
    let alternatives: Tokens[] = [[]];
    for (let char = this.#chars[this.#at]; char !== undefined && !isIn(ends, char); char = this.#chars[this.#at])
      alternatives = joined(alternatives, this.#next(char, ends, depth));
    return alternatives;
  }

  #next(char: string, ends: string, depth: number): Tokens[] {
    const following = this.#chars[this.#at + 1];
    if (this.#hasBrackets && following === '(' && '?*+@!'.includes(char))
      throw new NodeFailure(`The file selector uses "${char}(", which is not supported.`, {
        description: 'Write a choice as {a,b}.',
      });
    if (char === '*') return this.#stars(ends);
    this.#at += 1;
    if (char === '\\') return [[this.#escaped(following)]];
    if (char === '?') return [[ANY]];
    if (char === '{') return this.#choice('}', ',', depth) ?? [[literal(char)]];
    if (char === '(' && this.#hasBrackets) return this.#choice(')', '|', depth) ?? [[literal(char)]];
    if (char === '[' && this.#hasBrackets) return [[this.#charSet() ?? literal(char)]];
    return [[literal(char)]];
  }

  /** A backslash escapes a character of the syntax; elsewhere it is a slash. */
  #escaped(following: string | undefined): GlobToken {
    if (following === undefined || !SPECIAL.includes(following)) return literal('/');
    this.#at += 1;
    return literal(following);
  }

  /** `**` is any number of folders if it stands for whole names, and `*` elsewhere. */
  #stars(ends: string): Tokens[] {
    const before = this.#chars[this.#at - 1];
    const from = this.#at;
    while (this.#chars[this.#at] === '*') this.#at += 1;
    const after = this.#chars[this.#at];
    const isWhole = this.#at - from === 2 && (before === undefined || isIn('/{,(|', before));
    if (isWhole && after === '/') {
      this.#at += 1;
      return [[{ kind: 'folders' }]];
    }
    return [[isWhole && (after === undefined || isIn(ends, after)) ? { kind: 'rest' } : { kind: 'star' }]];
  }

  /** The parts of `{a,b}` or `(a|b)`; undefined, consuming nothing, if it is not closed. `{a}` is ordinary text. */
  #choice(close: string, separator: string, depth: number): Tokens[] | undefined {
    const from = this.#at;
    const parts: Tokens[][] = [];
    do {
      if (parts.length > 0) this.#at += 1;
      parts.push(this.#sequence(close + separator, depth + 1));
    } while (this.#chars[this.#at] === separator);
    const isClosed = this.#chars[this.#at] === close;
    if (!isClosed || (close === '}' && parts.length === 1)) {
      if (isClosed && this.#chars.slice(from, this.#at).join('').includes('..'))
        throw new NodeFailure('Ranges such as {1..3} are not supported in a file selector: write {1,2,3}.');
      this.#at = from;
      return undefined;
    }
    this.#at += 1;
    return parts.flat();
  }

  /** `[a-z]`, `[!a]` or `[^a]` after its bracket; undefined, consuming nothing, if it is not closed. */
  #charSet(): GlobToken | undefined {
    const isNegated = isIn('!^', this.#chars[this.#at] ?? ' ');
    const from = this.#at + (isNegated ? 1 : 0);
    const end = this.#chars.indexOf(']', from + 1);
    if (end < 0) return undefined;
    const inner = this.#chars.slice(from, end);
    this.#at = end + 1;
    const ranges: (readonly [string, string])[] = [];
    for (let at = 0; at < inner.length; at += 1) {
      const [first = '', dash, last] = inner.slice(at, at + 3);
      const isRange = dash === '-' && last !== undefined;
      ranges.push([first, isRange ? last : first]);
      if (isRange) at += 2;
    }
    return { kind: 'set', has: (char) => ranges.some(([low, high]) => low <= char && char <= high) !== isNegated };
  }
}

const literal = (value: string): GlobToken => ({ kind: 'char', value });

const isIn = (set: string, char: string): boolean => set.includes(char);

/** Every beginning with every end. @throws NodeFailure if there are too many */
function joined(beginnings: readonly Tokens[], ends: readonly Tokens[]): Tokens[] {
  const count = beginnings.length * ends.length;
  const tokens = sizeOf(beginnings) * ends.length + sizeOf(ends) * beginnings.length;
  if (count > MAX_ALTERNATIVES || tokens > MAX_TOKENS)
    throw new NodeFailure('The file selector has too many alternatives.', {
      description: 'Use several nodes, or a simpler pattern.',
    });
  return beginnings.flatMap((beginning) => ends.map((end) => [...beginning, ...end]));
}

const sizeOf = (alternatives: readonly Tokens[]): number => alternatives.reduce((sum, { length }) => sum + length, 0);
