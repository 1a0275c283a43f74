import { parse } from 'acorn';
import { ExpressionError, splitTemplate } from '@weft/expressions/syntax';
import type { Language, OpenReference, TextReference, TextReferences } from './reference';
import { ReferenceWalk } from './syntax';

const NONE: TextReferences = { references: [], open: [] };

/** Code nodes run their code as the body of an async function. */
const CODE_PREFIX = '(async function () {';
const CODE_SUFFIX = '\n})';

/** Levels of `$evaluateExpression` in an expression of another. */
const MAX_NESTING = 5;

/**
 * The references of a text. An expression begins with `=`; any other string is not one. A text that does not parse has
 * no references: it fails when it is evaluated, whatever the nodes are called.
 */
export function referencesIn(text: string, language: Language): TextReferences {
  return findIn(text, language, 0);
}

function findIn(text: string, language: Language, level: number): TextReferences {
  if (!text.includes('$') || level > MAX_NESTING) return NONE;
  return language === 'code' ? inCode(text) : inExpression(text, level);
}

function inCode(text: string): TextReferences {
  const source = CODE_PREFIX + text + CODE_SUFFIX;
  const walk = new ReferenceWalk(source);
  try {
    walk.visit(parse(source, { ecmaVersion: 'latest', sourceType: 'script' }));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return NONE;
    throw error;
  }
  const back = <T extends OpenReference>(one: T): T => ({
    ...one,
    start: one.start - CODE_PREFIX.length,
    end: one.end - CODE_PREFIX.length,
  });
  return { references: walk.references.map(back), open: walk.open.map(back) };
}

function inExpression(text: string, level: number): TextReferences {
  if (!text.startsWith('=')) return NONE;
  const references: TextReference[] = [];
  const open: OpenReference[] = [];
  for (const part of partsOf(text)) {
    if (part.kind !== 'code') continue;
    const walk = new ReferenceWalk(part.source);
    try {
      walk.visit(part.node);
    } catch (error) {
      if (error instanceof RangeError) return NONE;
      throw error;
    }
    const offsets = bodyOffsets(text, part.offset, part.source.length);
    const placed = <T extends OpenReference>(one: T): T => ({
      ...one,
      start: offsets(one.start),
      end: offsets(one.end),
    });
    references.push(...walk.references.map(placed));
    open.push(...walk.open.map(placed));
    for (const { value, start, end } of walk.nested) {
      const inner = findIn(`=${value}`, 'expression', level + 1);
      // A rename would have to rewrite a string within a string: it is refused instead.
      if (inner.references.length > 0 || inner.open.length > 0) open.push(placed({ start, end }));
    }
  }
  return { references, open };
}

function partsOf(text: string): ReturnType<typeof splitTemplate> {
  try {
    return splitTemplate(text, 1);
  } catch (error) {
    if (error instanceof ExpressionError || error instanceof RangeError) return [];
    throw error;
  }
}

/** Positions of the text by positions of a body, in which `\}}` is read as `}}`. */
function bodyOffsets(text: string, offset: number, length: number): (position: number) => number {
  if (!text.startsWith('\\}}', text.indexOf('\\}}', offset))) return (position) => offset + position;
  const offsets: number[] = [];
  let at = offset;
  while (offsets.length <= length) {
    if (text.startsWith('\\}}', at)) {
      offsets.push(at, at + 2);
      at += 3;
    } else {
      offsets.push(at);
      at += 1;
    }
  }
  return (position) => offsets[position] ?? offset + position;
}
