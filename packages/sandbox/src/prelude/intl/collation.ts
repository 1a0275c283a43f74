import { define } from '../define';
import { askHost, askHostForText } from '../host';

/** Texts of these characters alone are compared here; all others by the process around the engine. */
const PLAIN = /^[\t-\r -~]*$/;

/** Makes `localeCompare` order texts as people do. Asks the host for the order of the plain characters, once. */
export function installCollation(): void {
  const ranks = ranksOf(askHostForText('collationOrder', null));
  define(
    String.prototype,
    'localeCompare',
    function (this: unknown, other: unknown, locales?: unknown, options?: unknown): unknown {
      const [a, b] = [String(this), String(other)];
      if (locales === undefined && options === undefined && PLAIN.test(a) && PLAIN.test(b)) return compare(a, b, ranks);
      return askHost('intl', { type: 'Collator', locales, options, method: 'compare', values: [a, b] });
    },
  );
}

/** Rank of each character. Both cases of a letter have the same. */
function ranksOf(order: string): Uint8Array {
  const ranks = new Uint8Array(128);
  let rank = 0;
  for (let index = 0; index < order.length; index += 1) {
    if (order.charAt(index).toLowerCase() !== order.charAt(index - 1).toLowerCase()) rank += 1;
    ranks[order.charCodeAt(index)] = rank;
  }
  return ranks;
}

/** Letters first, and only if they are all the same, their case: small before capital. */
function compare(a: string, b: string, ranks: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  let byCase = 0;
  for (let index = 0; index < length; index += 1) {
    const [codeA, codeB] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (codeA === codeB) continue;
    const difference = (ranks[codeA] ?? 0) - (ranks[codeB] ?? 0);
    if (difference !== 0) return Math.sign(difference);
    byCase ||= codeA > codeB ? -1 : 1;
  }
  return Math.sign(a.length - b.length) || byCase;
}
