import type { Expression } from 'acorn';
import { ExpressionError } from '../errors';
import { LIMITS } from '../limits';
import { parseBody } from '../compiler/parse-body';

/** One part of a string that starts with `=`: text as it is, or an expression body that was read. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly source: string; readonly offset: number; readonly node: Expression };

/** Number of `}}` tried as the end of one body: those within strings and objects of the body are not its end. */
const MAX_ENDS = 30;

/**
 * Splits a string at its `{{ }}`. A body ends at the first `}}` at which it is a whole expression, so `{{ {a: {b: 1}}
 * }}` is one body.
 * A mark after an odd number of backslashes is text. A body that is never closed continues to the end; with nothing in
 * it, it is the empty string. Text parts are verbatim; see `withPairsRead`.
 * @throws ExpressionError `syntax` with its position, for a body that is not an expression
 */
export function splitTemplate(text: string, start: number): Part[] {
  const parts: Part[] = [];
  let position = start;
  for (;;) {
    const open = findMark(text, '{{', position);
    if (open < 0) break;
    if (open > position) parts.push({ kind: 'text', text: text.slice(position, open) });
    if (parts.length > 2 * LIMITS.bodies) {
      throw new ExpressionError(`The text holds more than ${LIMITS.bodies} expressions`, {
        type: 'syntax',
        position: open,
      });
    }
    if (text.slice(open + 2).trim() === '') return [...parts, { kind: 'text', text: '' }];
    const { part, end } = readBody(text, open + 2);
    parts.push(part);
    position = end;
  }
  if (position < text.length) parts.push({ kind: 'text', text: text.slice(position) });
  return parts;
}

function readBody(text: string, start: number): { part: Part; end: number } {
  let firstError: ExpressionError | undefined;
  let end = findMark(text, '}}', start);
  for (let tried = 0; tried < MAX_ENDS; tried += 1) {
    const source = text.slice(start, end < 0 ? text.length : end).replaceAll('\\}}', '}}');
    try {
      const node = parseBody(source, start);
      return { part: { kind: 'code', source, offset: start, node }, end: end < 0 ? text.length : end + 2 };
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      firstError ??= error;
      if (end < 0) throw firstError;
      end = findMark(text, '}}', end + 1);
      if (end < 0) throw firstError;
    }
  }
  throw firstError ?? new ExpressionError('invalid syntax', { type: 'syntax', position: start });
}

/**
 * Position of the next mark that is not escaped, which it is after an odd number of backslashes; -1 if there is none.
 * An escaped mark is passed as a whole.
 */
function findMark(text: string, mark: string, from: number): number {
  let start = from;
  for (;;) {
    const index = text.indexOf(mark, start);
    if (index < 0 || backslashesBefore(text, index, start) % 2 === 0) return index;
    start = index + mark.length;
  }
}

function backslashesBefore(text: string, end: number, start: number): number {
  let first = end;
  while (first > start && text[first - 1] === '\\') first -= 1;
  return end - first;
}

/**
 * The parts of an expression as n8n reads them: in text before a `{{ }}`, two backslashes are one. Text after the last
 * one stays as it is.
 */
export function withPairsRead(parts: readonly Part[]): Part[] {
  return parts.map((part, index) =>
    part.kind === 'text' && index < parts.length - 1 ? { ...part, text: part.text.replaceAll('\\\\', '\\') } : part,
  );
}
