import { createBoundedCache } from '@weft/service-kit/caching';
import { type CodeSource, ITEM_METHODS } from './read-source';

/** Characters read after a name, more than a call with the name of a node has. */
const CALL_LENGTH = 300;
const WORD = /[A-Za-z_]\w*/g;
/** A string literal as the only argument of a call: `('Name')`. Its input has at most 300 characters. */
const LITERAL = /^\(\s*(?:'([^'\\\n]*)'|"([^"\\\n]*)")\s*\)/;
/** The text after a `_` that is a variable which is not read. Its input has at most 300 characters. */
const UNREAD = /^\s*(?:,|=(?!=)|in\b|:|\))/;
/** Names that lead to other nodes by names computed at run time; `called`: if they are called. */
const OPEN = {
  always: new Set(['_node', 'globals', 'locals', 'vars', 'eval', 'exec']),
  called: new Set(['_items', '_item']),
};
const FILE_DATA = /\.data\b|['"]data['"]/;

/** Maximum size of the cache, in characters of code. */
const KEPT_CHARACTERS = 2_000_000;
const kept = createBoundedCache<string, CodeSource>({ maxWeight: KEPT_CHARACTERS });

/**
 * Finds what code in Python may ask for, by its words: too much is copied rather than too little. Recent results are
 * cached.
 * @param seesNodes false for the dialect that sees only its items
 */
export function readPython(code: string, seesNodes: boolean): CodeSource {
  const key = `${seesNodes ? 1 : 0}${code}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const found = new Findings();
  for (const { 0: word, index } of code.matchAll(WORD))
    found.add(word, code[index - 1] === '.', code.slice(index + word.length, index + word.length + CALL_LENGTH));
  const source: CodeSource = {
    text: code,
    nodes: !seesNodes ? new Set() : found.isOpen ? 'all' : found.nodes,
    outputs: found.asksOutputs || found.isOpen ? 'any' : [],
    properties: found.words,
    readsFiles: code.includes('binary') && FILE_DATA.test(code),
  };
  kept.set(key, source, code.length);
  return source;
}

/** Results of a walk over the words of code. */
class Findings {
  readonly words = new Set<string>();
  readonly nodes = new Set<string>();
  isOpen = false;
  asksOutputs = false;

  /** @param rest the text after the word */
  add(word: string, isMember: boolean, rest: string): void {
    this.words.add(word);
    const isCalled = rest.trimStart().startsWith('(');
    if (word === '_' && !isMember) this.#select(rest);
    else if (OPEN.always.has(word) || (isCalled && OPEN.called.has(word))) this.isOpen = true;
    else if (isMember && isCalled && ITEM_METHODS.has(word) && !rest.trimStart().slice(1).trimStart().startsWith(')'))
      this.asksOutputs = true;
  }

  #select(rest: string): void {
    const call = LITERAL.exec(rest);
    const name = call?.[1] ?? call?.[2];
    if (name !== undefined) this.nodes.add(name);
    else if (!UNREAD.test(rest)) this.isOpen = true;
  }
}
