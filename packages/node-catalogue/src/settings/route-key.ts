import { escapePattern, withoutEnds } from '@weft/service-kit/text';

/** Maximum number of parts of a path with parameters; longer requests match fixed paths only. */
export const MAX_PATH_SEGMENTS = 6;

/** The key of a route: `POST orders/:` for method POST and path `orders/:id`. */
export function routeKey(method: string, path: string): string {
  return `${method} ${path
    .split('/')
    .map((part) => (part.startsWith(':') ? ':' : part))
    .join('/')}`;
}

/**
 * Every key that a route matching this request can have, the most specific first: of several matches the first one here
 * is taken. `path` is the decoded path below `/webhook/`; slashes at its ends do not count. At most 32 keys.
 */
export function candidateKeys(method: string, path: string): string[] {
  const segments = withoutEnds(path, '/').split('/');
  const [first, ...rest] = segments;
  if (first === undefined || first === '' || first.startsWith(':')) return [];
  // A request that spells out a placeholder must not reach the route that holds it.
  const literal = rest.some((part) => part.startsWith(':')) ? [] : [segments.join('/')];
  if (segments.length > MAX_PATH_SEGMENTS) return literal.map((one) => `${method} ${one}`);
  return patterns(first, rest).map((pattern) => `${method} ${pattern}`);
}

/**
 * All ways to read the later parts as fixed or as a parameter: fewer parameters first, then those further to the right.
 */
function patterns(first: string, rest: readonly string[]): string[] {
  const all = Array.from({ length: 2 ** rest.length }, (_, mask) => mask);
  return (
    all
      // A part that looks like a placeholder can only be the value of a parameter; an empty one cannot match.
      .filter((mask) => rest.every((part, index) => isOpen(mask, index, rest.length) || !part.startsWith(':')))
      .filter((mask) => rest.every((part, index) => !isOpen(mask, index, rest.length) || part !== ''))
      .sort((a, b) => bits(a) - bits(b) || a - b)
      .map((mask) => [first, ...rest.map((part, index) => (isOpen(mask, index, rest.length) ? ':' : part))].join('/'))
  );
}

/**
 * Matches the key of every route that some request reaches as well as this one: of the same method and length, with
 * each part equal or a parameter in one of them. A parameter matches no empty part. The match includes the key itself.
 */
export function overlappingKeys(key: string): RegExp {
  const [method = '', path = ''] = splitOnce(key);
  const parts = path.split('/').map((part, index) => {
    if (part === ':') return '[^/]+';
    return index === 0 || part === '' ? escapePattern(part) : `(?:${escapePattern(part)}|:)`;
  });
  // Linear: parts are literals, or end at the next slash.
  return new RegExp(`^${escapePattern(method)} ${parts.join('/')}$`);
}

/** The range of keys, from inclusive to exclusive, that holds all keys with the method and first part of this one. */
export function keyRange(key: string): { readonly from: string; readonly to: string } {
  const [method = '', path = ''] = splitOnce(key);
  const start = `${method} ${path.split('/')[0] ?? ''}`;
  // The character after the slash.
  return { from: `${start}/`, to: `${start}0` };
}

function splitOnce(key: string): [string, string] {
  const at = key.indexOf(' ');
  return [key.slice(0, at), key.slice(at + 1)];
}

/** Bit 0 is that of the last part. */
function isOpen(mask: number, index: number, count: number): boolean {
  return (mask & (1 << (count - 1 - index))) !== 0;
}

function bits(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest >>= 1) count += rest & 1;
  return count;
}

/**
 * The values of a pattern's parameters in a request path that matches it: `orders/:id` and `orders/7` give `{ id: '7'
 * }`.
 */
export function pathParams(pattern: string, path: string): Record<string, string> {
  const values = withoutEnds(path, '/').split('/');
  return Object.fromEntries(
    pattern.split('/').flatMap((part, index): [string, string][] => {
      const value = values[index];
      return part.startsWith(':') && value !== undefined ? [[part.slice(1), value]] : [];
    }),
  );
}
