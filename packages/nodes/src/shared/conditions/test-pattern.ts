import { RE2JS } from 're2js';
import { NodeFailure } from '@weft/engine';

/** Cache of recently compiled patterns. */
const compiled = new Map<string, RE2JS>();
const MAX_COMPILED = 500;

/**
 * True if a string matches a pattern, written bare or as `/pattern/flags`. Runs in time linear in the string's length.
 * @throws NodeFailure if the pattern is invalid or uses lookaround or backreferences
 */
export function testPattern(pattern: string, text: string): boolean {
  return compile(pattern).matcher(text).find();
}

function compile(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const [, source = pattern, flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(pattern) ?? [];
  try {
    const made = RE2JS.compile(RE2JS.translateRegExp(source), flagsOf(flags));
    if (compiled.size >= MAX_COMPILED) compiled.clear();
    compiled.set(pattern, made);
    return made;
  } catch (cause) {
    throw new NodeFailure(
      `The regular expression ${pattern.slice(0, 200)} cannot be used: ` +
        `${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}

function flagsOf(flags: string): number {
  return (
    (flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0) |
    (flags.includes('m') ? RE2JS.MULTILINE : 0) |
    (flags.includes('s') ? RE2JS.DOTALL : 0)
  );
}
