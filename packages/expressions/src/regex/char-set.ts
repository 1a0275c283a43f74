import type { AST } from '@eslint-community/regexpp';

/** The ASCII characters that something may match, and whether it may match any other. Never smaller than the truth. */
export interface CharSet {
  readonly ascii: readonly boolean[];
  readonly beyond: boolean;
}

const ASCII_SIZE = 128;
const ALL: CharSet = { ascii: Array.from({ length: ASCII_SIZE }, () => true), beyond: true };
const NONE: CharSet = { ascii: Array.from({ length: ASCII_SIZE }, () => false), beyond: false };

const ESCAPES = {
  digit: fromTest(/[0-9]/, false),
  word: fromTest(/\w/, false),
  space: fromTest(/\s/, true),
} as const;

/** True if no character is in both sets. */
export function areDisjoint(a: CharSet, b: CharSet): boolean {
  return !(a.beyond && b.beyond) && !a.ascii.some((inA, code) => inA && b.ascii[code] === true);
}

/** The characters of either set. */
export function union(sets: readonly CharSet[]): CharSet {
  if (sets.length === 1 && sets[0] !== undefined) return sets[0];
  return {
    ascii: NONE.ascii.map((_, code) => sets.some((set) => set.ascii[code] === true)),
    beyond: sets.some((set) => set.beyond),
  };
}

/**
 * The characters that one element may match, if it always matches exactly one character; undefined for anything else.
 */
export function charSetOf(element: AST.Element, ignoreCase: boolean): CharSet | undefined {
  switch (element.type) {
    case 'Character':
      return withCase(single(element.value), ignoreCase);
    case 'CharacterSet':
      return withCase(escapeSet(element), ignoreCase);
    case 'CharacterClass':
      if (element.unicodeSets) return ALL;
      return classSet(element, ignoreCase);
    default:
      return undefined;
  }
}

function classSet(element: AST.ClassRangesCharacterClass, ignoreCase: boolean): CharSet {
  const inside = withCase(union([NONE, ...element.elements.map(classElementSet)]), ignoreCase);
  if (!element.negate) return inside;
  return { ascii: inside.ascii.map((matches) => !matches), beyond: true };
}

function classElementSet(element: AST.ClassRangesCharacterClassElement): CharSet {
  switch (element.type) {
    case 'Character':
      return single(element.value);
    case 'CharacterClassRange': {
      const { min, max } = element;
      return {
        ascii: NONE.ascii.map((_, code) => code >= min.value && code <= max.value),
        beyond: max.value >= ASCII_SIZE,
      };
    }
    case 'CharacterSet':
      return escapeSet(element);
  }
}

function escapeSet(element: AST.CharacterSet): CharSet {
  if (element.kind === 'any' || element.kind === 'property') return ALL;
  const set = ESCAPES[element.kind];
  return element.negate ? { ascii: set.ascii.map((matches) => !matches), beyond: true } : set;
}

function single(value: number): CharSet {
  return { ascii: NONE.ascii.map((_, code) => code === value), beyond: value >= ASCII_SIZE };
}

function fromTest(pattern: RegExp, beyond: boolean): CharSet {
  return { ascii: NONE.ascii.map((_, code) => pattern.test(String.fromCharCode(code))), beyond };
}

/**
 * Adds the other case of letters. Some letters beyond ASCII fold to ASCII ones, so a set with letters may match beyond
 * it.
 */
function withCase(set: CharSet, ignoreCase: boolean): CharSet {
  if (!ignoreCase) return set;
  const ascii = set.ascii.map((matches, code) => matches || set.ascii[otherCase(code)] === true);
  if (set.beyond) return { ascii: ascii.map((matches, code) => matches || isLetter(code)), beyond: true };
  return { ascii, beyond: ascii.some((matches, code) => matches && isLetter(code)) };
}

function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

function otherCase(code: number): number {
  return isLetter(code) ? code ^ 32 : code;
}
