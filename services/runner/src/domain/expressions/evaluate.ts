import { ExpressionError } from './errors';
import type { CompiledNode, CompiledParameter } from './parameter';
import type { ExpressionScope } from './scope';

/**
 * The value of a parameter for one item. A text with one `{{ }}` and nothing around it gives a value of any type: JSON data, undefined,
 * a `Date`, a luxon `DateTime`, `Duration` or `Interval`, a `Map` or `Set`. Use `toJson` or `toText` where one form is needed.
 * What comes from the scope is handed out as it is, not copied: do not change it.
 * @throws ExpressionError and nothing else.
 */
export function evaluate(compiled: CompiledParameter, scope: ExpressionScope): unknown {
  return evaluateNode(compiled.root, scope);
}

function evaluateNode(node: CompiledNode, scope: ExpressionScope): unknown {
  switch (node.kind) {
    case 'constant':
      return node.value;
    case 'template':
      return node.template.evaluate(scope);
    case 'list':
      return node.entries.map((entry) => evaluateNode(entry, scope));
    case 'record':
      return evaluateRecord(node.entries, scope);
  }
}

function evaluateRecord(entries: readonly (readonly [string, CompiledNode])[], scope: ExpressionScope): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, entry] of entries) {
    if (key === '__proto__') throw new ExpressionError(`Cannot access "${key}" due to security concerns`, { type: 'security' });
    result[key] = evaluateNode(entry, scope);
  }
  return result;
}
