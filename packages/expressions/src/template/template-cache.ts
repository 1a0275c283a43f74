import { ExpressionError } from '../errors';
import { LIMITS } from '../limits';
import { splitTemplate, withPairsRead } from './split';
import { Template } from './template';

/** Compiled form of a string that starts with `=`: plain text, code to run, or the reason it is neither. */
export type CompiledText =
  | { readonly kind: 'constant'; readonly text: string }
  | { readonly kind: 'template'; readonly template: Template }
  | { readonly kind: 'error'; readonly error: ExpressionError };

/** Compiled templates by text, the least used first. The same text occurs in all runs of a workflow. */
const cache = new Map<string, CompiledText>();
let cachedCharacters = 0;

/**
 * Compiles a string that starts with `=`. The same text is compiled once as long as it stays in the cache. Never
 * throws.
 */
export function compileText(text: string): CompiledText {
  const known = cache.get(text);
  if (known !== undefined) {
    cache.delete(text);
    cache.set(text, known);
    return known;
  }
  const compiled = compile(text);
  cache.set(text, compiled);
  cachedCharacters += text.length;
  while (cache.size > LIMITS.cachedTemplates || (cachedCharacters > LIMITS.cachedCharacters && cache.size > 1)) {
    const [oldest] = cache.keys();
    if (oldest === undefined) break;
    cache.delete(oldest);
    cachedCharacters -= oldest.length;
  }
  return compiled;
}

function compile(text: string): CompiledText {
  if (!text.includes('{{')) return { kind: 'constant', text: text.slice(1) };
  try {
    return { kind: 'template', template: Template.compile(withPairsRead(splitTemplate(text, 1))) };
  } catch (error) {
    if (error instanceof ExpressionError) return { kind: 'error', error };
    if (error instanceof RangeError) {
      return {
        kind: 'error',
        error: new ExpressionError('The expression is nested too deeply', { type: 'syntax', position: 1 }),
      };
    }
    throw error;
  }
}
