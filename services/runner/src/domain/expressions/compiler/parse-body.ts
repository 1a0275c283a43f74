import { parseExpressionAt, tokenizer, tokTypes } from 'acorn';
import type { Expression, Options } from 'acorn';
import { ExpressionError } from '../errors';
import { LIMITS } from '../limits';

const OPTIONS: Options = { ecmaVersion: 2023, sourceType: 'script' };

/**
 * Reads the body of `{{ }}`: one expression, which semicolons may follow. Undefined for a body with nothing in it.
 * @throws ExpressionError `syntax` with the position in the whole text, which `offset` is the start of the body in
 */
export function parseBody(source: string, offset: number): Expression | undefined {
  if (source.length > LIMITS.bodyLength) {
    throw new ExpressionError(`The expression is longer than ${LIMITS.bodyLength} characters`, { type: 'syntax', position: offset });
  }
  try {
    const [first] = [...firstToken(source)];
    if (first === undefined) return undefined;
    const node = parseExpressionAt(source, 0, OPTIONS);
    for (const token of tokenizer(source.slice(node.end), OPTIONS)) {
      if (token.type !== tokTypes.semi) throw invalid('Unexpected token', offset + node.end + token.start);
    }
    return node;
  } catch (error) {
    throw asExpressionError(error, offset);
  }
}

function* firstToken(source: string): Generator<number> {
  const token = tokenizer(source, OPTIONS).getToken();
  if (token.type !== tokTypes.eof) yield token.start;
}

function asExpressionError(error: unknown, offset: number): ExpressionError {
  if (error instanceof ExpressionError) return error;
  if (error instanceof RangeError) return new ExpressionError('The expression is nested too deeply', { type: 'syntax', position: offset });
  if (!(error instanceof SyntaxError)) throw error;
  const position: unknown = Reflect.get(error, 'pos');
  // The parser writes its own line and column behind the message.
  return invalid(error.message.replace(/\s*\(\d+:\d+\)$/, ''), offset + (typeof position === 'number' ? position : 0));
}

function invalid(description: string, position: number): ExpressionError {
  return new ExpressionError('invalid syntax', { type: 'syntax', description, position });
}
