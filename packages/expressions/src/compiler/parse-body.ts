import { parseExpressionAt, tokenizer, tokTypes } from 'acorn';
import type { Expression, Options } from 'acorn';
import { ExpressionError } from '../errors';
import { LIMITS } from '../limits';

const OPTIONS: Options = { ecmaVersion: 2023, sourceType: 'script' };

/**
 * Reads the body of `{{ }}`: one expression, which semicolons may follow.
 * @throws ExpressionError `syntax` with the position in the whole text, which `offset` is the start of the body in
 */
export function parseBody(source: string, offset: number): Expression {
  if (source.length > LIMITS.bodyLength) {
    throw new ExpressionError(`The expression is longer than ${LIMITS.bodyLength} characters`, {
      type: 'syntax',
      position: offset,
    });
  }
  try {
    if (tokenizer(source, OPTIONS).getToken().type === tokTypes.eof)
      throw invalid('There is no expression between the braces', offset);
    const node = parseExpressionAt(source, 0, OPTIONS);
    if (restAfter(source, node.end) === undefined) return node;
    // Parentheses around the whole are not part of its node.
    const { end } = parseExpressionAt(source, 0, { ...OPTIONS, preserveParens: true });
    const rest = restAfter(source, end);
    if (rest !== undefined) throw invalid('Unexpected token', offset + rest);
    return node;
  } catch (error) {
    throw asExpressionError(error, offset);
  }
}

/** Position at which something other than semicolons and comments follows; undefined if nothing does. */
function restAfter(source: string, end: number): number | undefined {
  for (const token of tokenizer(source.slice(end), OPTIONS)) if (token.type !== tokTypes.semi) return end + token.start;
  return undefined;
}

function asExpressionError(error: unknown, offset: number): ExpressionError {
  if (error instanceof ExpressionError) return error;
  if (error instanceof RangeError)
    return new ExpressionError('The expression is nested too deeply', { type: 'syntax', position: offset });
  if (!(error instanceof SyntaxError)) throw error;
  const position: unknown = Reflect.get(error, 'pos');
  // The parser writes its own line and column behind the message.
  return invalid(error.message.replace(/ \(\d+:\d+\)$/, ''), offset + (typeof position === 'number' ? position : 0));
}

function invalid(description: string, position: number): ExpressionError {
  return new ExpressionError('invalid syntax', { type: 'syntax', description, position });
}
