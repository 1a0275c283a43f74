import { Settings } from 'luxon';
import { isPlainObject } from '../../runtime/kinds';

/** Different languages, zones and styles that luxon may cache formatters for. */
const MAX_VARIANTS = 500;

let variants = new Set<string>();

/**
 * Must be called with the arguments of calls that may name a language, a zone or a style. Luxon caches a formatter for
 * each one it has met and never drops it; strings from outside could make it cache any number, so its caches are
 * cleared now and then.
 */
export function noteOptions(args: readonly unknown[]): void {
  for (const arg of args) {
    const names = typeof arg === 'string' ? arg : isPlainObject(arg) ? textsOf(arg) : '';
    if (names !== '') variants.add(names);
  }
  if (variants.size <= MAX_VARIANTS) return;
  Settings.resetCaches();
  variants = new Set();
}

function textsOf(options: Record<string, unknown>): string {
  return Object.entries(options)
    .filter(([, value]) => typeof value === 'string')
    .map((pair) => pair.join('='))
    .join();
}
