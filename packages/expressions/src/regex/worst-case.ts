import type { AST } from '@eslint-community/regexpp';
import { areDisjoint, charSetOf, union } from './char-set';
import type { CharSet } from './char-set';

/** Bounds of a backtracking match of one part of a pattern at one place of a string. */
interface Bound {
  /** Maximum number of ways in which the part can match there. */
  readonly ways: number;
  /** Maximum number of characters read while all those ways are tried. */
  readonly cost: number;
  /** Minimum number of characters it takes. */
  readonly min: number;
  /** Characters it can begin with; undefined if it may take none, or that is not known. */
  readonly first: CharSet | undefined;
}

interface Context {
  readonly textLength: number;
  readonly ignoreCase: boolean;
}

const EMPTY: Bound = { ways: 1, cost: 1, min: 0, first: undefined };

/**
 * Maximum number of characters that a backtracking engine reads to search a string of `textLength` characters for all
 * matches of a pattern.
 * Never less than the truth; often far more, and infinite where tries can multiply.
 */
export function worstCase(
  pattern: AST.Pattern,
  flags: { readonly ignoreCase: boolean; readonly multiline: boolean },
  textLength: number,
): number {
  const context = { textLength, ignoreCase: flags.ignoreCase };
  const { cost } = ofAlternatives(pattern.alternatives, context);
  const starts = textLength + 1;
  if (pattern.alternatives.every(cannotFailMidway)) return starts * pattern.alternatives.length * 2;
  const anchored = !flags.multiline && pattern.alternatives.every(startsAtBeginning);
  return anchored ? starts + cost : starts * cost;
}

/**
 * One character, or a run of one kind of character: what it takes belongs to a match, so no character is looked at
 * twice.
 */
function cannotFailMidway(alternative: AST.Alternative): boolean {
  const [only, ...others] = alternative.elements;
  if (only === undefined || others.length > 0) return false;
  if (only.type === 'Quantifier') return only.min <= 1 && charSetOf(only.element, false) !== undefined;
  return charSetOf(only, false) !== undefined;
}

function startsAtBeginning(alternative: AST.Alternative): boolean {
  const [first] = alternative.elements;
  return first?.type === 'Assertion' && first.kind === 'start';
}

function ofAlternatives(alternatives: readonly AST.Alternative[], context: Context): Bound {
  const bounds = alternatives.map((alternative) => ofSequence(alternative.elements, context));
  if (bounds.length === 1 && bounds[0] !== undefined) return bounds[0];
  const firsts = bounds.map((bound) => bound.first);
  const known = firsts.filter((first) => first !== undefined);
  const apart =
    known.length === firsts.length &&
    known.every((first, index) => known.slice(index + 1).every((other) => areDisjoint(first, other)));
  return {
    ways: apart ? Math.max(...bounds.map((bound) => bound.ways)) : sum(bounds.map((bound) => bound.ways)),
    cost: sum(bounds.map((bound) => bound.cost)),
    min: Math.min(...bounds.map((bound) => bound.min)),
    first: known.length === firsts.length ? union(known) : undefined,
  };
}

function ofSequence(elements: readonly AST.Element[], context: Context): Bound {
  const bounds = elements.map((element) => ofElement(element, context));
  let { ways, cost, min } = EMPTY;
  bounds.forEach((bound, index) => {
    const element = elements[index];
    cost += ways * bound.cost;
    min += bound.min;
    // A run of characters that what follows cannot begin with has one end that leads on, however many it could have.
    const next = bounds[index + 1]?.first;
    const run = element?.type === 'Quantifier' ? charSetOf(element.element, context.ignoreCase) : undefined;
    if (run === undefined || next === undefined || !areDisjoint(run, next)) ways *= bound.ways;
    else cost += ways * bound.ways;
  });
  const leading = bounds.find((bound) => bound.min > 0 || bound.cost > 1);
  return { ways, cost, min, first: leading !== undefined && leading.min > 0 ? leading.first : undefined };
}

function ofElement(element: AST.Element, context: Context): Bound {
  switch (element.type) {
    case 'Group':
    case 'CapturingGroup':
      return ofAlternatives(element.alternatives, context);
    case 'Assertion':
      if (element.kind !== 'lookahead' && element.kind !== 'lookbehind') return EMPTY;
      return { ...EMPTY, cost: 1 + ofAlternatives(element.alternatives, context).cost };
    case 'Backreference':
      return { ...EMPTY, cost: context.textLength + 1 };
    case 'Quantifier':
      return ofQuantifier(element, context);
    case 'ExpressionCharacterClass':
      return { ways: context.textLength + 1, cost: context.textLength + 1, min: 0, first: undefined };
    default:
      return { ways: 1, cost: 1, min: 1, first: charSetOf(element, context.ignoreCase) };
  }
}

function ofQuantifier(element: AST.Quantifier, context: Context): Bound {
  const body = ofElement(element.element, context);
  const most = body.min > 0 ? Math.floor(context.textLength / body.min) : element.min + context.textLength;
  const rounds = Math.min(element.max, most);
  const first = element.min > 0 ? body.first : undefined;
  const min = element.min * body.min;
  if (body.ways <= 1) {
    return { ways: Math.max(1, rounds - element.min + 1), cost: (rounds + 1) * body.cost, min, first };
  }
  const ways = body.ways ** rounds * 2;
  return { ways, cost: ways * body.cost, min, first };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
