import { Unit } from '../compiler/context';
import { compileExpression } from '../compiler/expression';
import { globalValue } from '../globals/globals';
import { splitTemplate, withPairsRead } from './split';

/**
 * The names that a string starting with `=` reads and that are neither its own variables nor globals of the language,
 * such as `$json`, each once.
 * @throws ExpressionError `syntax` or `security` if it cannot be compiled
 */
export function freeNames(text: string): string[] {
  const names = new Set<string>();
  for (const part of withPairsRead(splitTemplate(text, 1))) {
    if (part.kind === 'text') continue;
    compileExpression(part.node, { unit: new Unit(part.source, part.offset, names), scope: undefined });
  }
  return [...names].filter((name) => globalValue(name) === undefined && name !== 'undefined');
}
