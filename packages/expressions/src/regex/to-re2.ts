import type { AST } from '@eslint-community/regexpp';

/** The parts of a pattern that RE2 has no equal for. */
class Inexpressible extends Error {}

interface Flags {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  readonly unicode: boolean;
}

/** White space and line ends as JavaScript has them; RE2's own `\s` knows ASCII only. */
const SPACE = '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const NOT_SPACE = [
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}',
  '\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}',
].join('');
const LINE_END = '\\n\\r\\x{2028}\\x{2029}';

/** RE2 refuses larger counts, and larger ones make its programs large. */
const MAX_REPEAT = 1000;

/**
 * The same pattern in the syntax of RE2, which matches in linear time; undefined if RE2 cannot match what JavaScript
 * would:
 * look-around, back-references, repetitions of what may be empty, and groups whose capture JavaScript drops between
 * rounds.
 */
export function toRe2(pattern: AST.Pattern, flags: Flags): string | undefined {
  try {
    return alternatives(pattern.alternatives, flags);
  } catch (error) {
    if (error instanceof Inexpressible) return undefined;
    throw error;
  }
}

function alternatives(list: readonly AST.Alternative[], flags: Flags): string {
  return list.map((alternative) => alternative.elements.map((one) => element(one, flags)).join('')).join('|');
}

function element(node: AST.Element, flags: Flags): string {
  switch (node.type) {
    case 'Character':
      return character(node.value, flags);
    case 'CharacterSet':
      return characterSet(node, flags);
    case 'CharacterClass':
      return characterClass(node, flags);
    case 'Group':
      return `(?:${alternatives(node.alternatives, flags)})`;
    case 'CapturingGroup':
      return `(${alternatives(node.alternatives, flags)})`;
    case 'Quantifier':
      return quantifier(node, flags);
    case 'Assertion':
      return assertion(node, flags);
    default:
      throw new Inexpressible();
  }
}

function assertion(node: AST.Assertion, flags: Flags): string {
  switch (node.kind) {
    case 'word':
      return node.negate ? '\\B' : '\\b';
    case 'start':
      return flags.multiline ? '(?m:^)' : '\\A';
    case 'end':
      return flags.multiline ? '(?m:$)' : '\\z';
    default:
      throw new Inexpressible();
  }
}

function quantifier(node: AST.Quantifier, flags: Flags): string {
  const { min, max } = node;
  if (min > MAX_REPEAT || (max !== Infinity && max > MAX_REPEAT)) throw new Inexpressible();
  if (canBeEmpty(node.element) || (max > 1 && capturesMayBeForgotten(node.element))) throw new Inexpressible();
  const body = `(?:${element(node.element, flags)})`;
  const count = max === Infinity ? (min === 0 ? '*' : min === 1 ? '+' : `{${min},}`) : `{${min},${max}}`;
  return `${body}${count}${node.greedy ? '' : '?'}`;
}

/** True if a round of a repetition can pass without a group inside taking part. */
function capturesMayBeForgotten(node: AST.Element): boolean {
  return capturingGroupsIn(node) !== certainGroupsIn(node);
}

function childrenOf(node: AST.Element): readonly AST.Element[] {
  if (node.type === 'Quantifier') return [node.element];
  if (node.type === 'Group' || node.type === 'CapturingGroup')
    return node.alternatives.flatMap((alternative) => alternative.elements);
  return [];
}

function capturingGroupsIn(node: AST.Element): number {
  const inside = childrenOf(node).reduce((count, child) => count + capturingGroupsIn(child), 0);
  return inside + (node.type === 'CapturingGroup' ? 1 : 0);
}

function certainGroupsIn(node: AST.Element): number {
  if (node.type === 'Quantifier' && node.min === 0) return 0;
  const self = node.type === 'CapturingGroup' ? 1 : 0;
  if ((node.type === 'Group' || node.type === 'CapturingGroup') && node.alternatives.length > 1) return self;
  return childrenOf(node).reduce((count, child) => count + certainGroupsIn(child), self);
}

/**
 * True if a round can pass without taking a character: JavaScript then looks for another way, RE2 ends the repetition.
 */
function canBeEmpty(node: AST.Element): boolean {
  if (node.type === 'Quantifier') return node.min === 0 || canBeEmpty(node.element);
  if (node.type === 'Group' || node.type === 'CapturingGroup') {
    return node.alternatives.some((alternative) => alternative.elements.every(canBeEmpty));
  }
  return node.type === 'Assertion' || node.type === 'Backreference';
}

function character(value: number, flags: Flags): string {
  refuseHalves(value, value, flags);
  const other = flags.ignoreCase ? otherCases(value) : [];
  return other.length === 0 ? codePoint(value) : `[${[value, ...other].map(codePoint).join('')}]`;
}

function characterSet(node: AST.CharacterSet, flags: Flags): string {
  if (node.kind === 'any') return flags.dotAll ? '(?s:.)' : `[^${LINE_END}]`;
  return `[${setInClass(node)}]`;
}

function setInClass(node: AST.CharacterSet): string {
  if (node.kind === 'digit') return node.negate ? '\\D' : '\\d';
  if (node.kind === 'word') return node.negate ? '\\W' : '\\w';
  if (node.kind === 'space') return node.negate ? NOT_SPACE : SPACE;
  if (node.kind === 'property' && node.value !== null) return `\\${node.negate ? 'P' : 'p'}{${node.value}}`;
  throw new Inexpressible();
}

function characterClass(node: AST.CharacterClass, flags: Flags): string {
  if (node.unicodeSets) throw new Inexpressible();
  if (node.elements.length === 0) return node.negate ? '(?s:.)' : '[^\\x{0}-\\x{10ffff}]';
  const parts = node.elements.map((part) => {
    if (part.type === 'CharacterSet') return setInClass(part);
    if (part.type === 'Character') return range(part.value, part.value, flags);
    return range(part.min.value, part.max.value, flags);
  });
  return `[${node.negate ? '^' : ''}${parts.join('')}]`;
}

/**
 * RE2 reads whole code points, JavaScript without the flag `u` halves of them: a pattern that names halves is not for
 * RE2.
 */
function refuseHalves(min: number, max: number, flags: Flags): void {
  if (!flags.unicode && max >= 0xd800 && min <= 0xdfff) throw new Inexpressible();
}

function range(min: number, max: number, flags: Flags): string {
  refuseHalves(min, max, flags);
  const written = `${codePoint(min)}-${codePoint(max)}`;
  if (!flags.ignoreCase) return written;
  const folded: string[] = [];
  // Letters with two cases lie in a few thousand code points; a range over all of them covers both cases itself.
  if (max - min <= 3000)
    for (let value = min; value <= max; value += 1) folded.push(...otherCases(value).map(codePoint));
  return written + folded.join('');
}

/** The code points that JavaScript takes for the same as `value` when case is ignored. */
function otherCases(value: number): number[] {
  const text = String.fromCodePoint(value);
  const candidates = [text.toUpperCase(), text.toLowerCase()].filter(
    (other) => other !== text && [...other].length === 1,
  );
  return [...new Set(candidates)].flatMap((other) => {
    const code = other.codePointAt(0);
    return code === undefined || (value >= 128 && code < 128) || (value < 128 && code >= 128) ? [] : [code];
  });
}

function codePoint(value: number): string {
  return `\\x{${value.toString(16)}}`;
}
