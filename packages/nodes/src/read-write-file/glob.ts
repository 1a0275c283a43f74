import { globAlternatives, type GlobToken } from './parse-glob';

/** A pattern for paths. */
export interface Glob {
  readonly matches: (path: string) => boolean;
}

/**
 * A pattern of `*`, `**`, `?` and `{a,b}`; with `brackets` also `[a-z]` and `(a|b)`. Names that begin with a dot are
 * matched only by a literal dot. Matching takes time proportional to the length of the path times that of the pattern.
 * @throws NodeFailure for unsupported syntax, and for too many alternatives
 */
export function parseGlob(pattern: string, brackets: 'literal' | 'syntax'): Glob {
  const alternatives = globAlternatives(pattern, brackets);
  return { matches: (path) => alternatives.some((tokens) => matches(tokens, path)) };
}

/**
 * Follows all ways through the pattern at once. A state is twice the index of the next token, plus one within text that
 * the token may still extend.
 */
function matches(tokens: readonly GlobToken[], path: string): boolean {
  let states = new Set<number>();
  enter(tokens, 0, states);
  let startsName = true;
  for (const char of path) {
    const next = new Set<number>();
    for (const state of states) step(tokens, state, { char, startsName }, next);
    if (next.size === 0) return false;
    states = next;
    startsName = char === '/';
  }
  return states.has(tokens.length * 2);
}

/** Adds a state, and those reachable from it without a character. */
function enter(tokens: readonly GlobToken[], index: number, states: Set<number>): void {
  states.add(index * 2);
  const kind = tokens[index]?.kind;
  if (kind === 'star' || kind === 'folders') enter(tokens, index + 1, states);
}

interface Seen {
  readonly char: string;
  /** True for the first character of a name. */
  readonly startsName: boolean;
}

function step(tokens: readonly GlobToken[], state: number, seen: Seen, next: Set<number>): void {
  const index = Math.floor(state / 2);
  const token = tokens[index];
  if (token === undefined) return;
  const { char, startsName } = seen;
  const isHidden = startsName && char === '.';
  switch (token.kind) {
    case 'char':
      // A star that matched nothing does not make a dot a literal start of a name.
      if (token.value === char && !(isHidden && tokens[index - 1]?.kind === 'star')) enter(tokens, index + 1, next);
      return;
    case 'set':
      if (char !== '/' && !isHidden && token.has(char)) enter(tokens, index + 1, next);
      return;
    case 'star':
      if (char !== '/' && !isHidden) enter(tokens, index, next);
      return;
    case 'folders':
      if (char === '/') enter(tokens, index, next);
      else if (!isHidden) next.add(index * 2 + 1);
      return;
    case 'rest':
      if (isHidden) return;
      next.add(index * 2 + 1);
      enter(tokens, index + 1, next);
  }
}
