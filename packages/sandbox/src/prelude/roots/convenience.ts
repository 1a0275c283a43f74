import { defineGlobal } from '../define';
import { jmespath } from '../libraries';

const isEmpty = (value: unknown): boolean => {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && !(value instanceof Date) && Object.keys(value).length === 0;
};

const refused =
  (name: string, instead: string): (() => never) =>
  () => {
    throw new Error(`${name} is not available in code. ${instead}`);
  };

/** Sets the small functions that expressions also have. */
export function installConvenience(): void {
  const query = (data: unknown, expression: unknown): unknown => jmespath().search(data, String(expression));
  defineGlobal('$if', (condition: unknown, yes: unknown, no: unknown) => (condition ? yes : no));
  defineGlobal('$ifEmpty', (value: unknown, fallback: unknown) => (isEmpty(value) ? fallback : value));
  defineGlobal('$min', (...values: unknown[]) => Math.min(...values.map(Number)));
  defineGlobal('$max', (...values: unknown[]) => Math.max(...values.map(Number)));
  defineGlobal('$jmespath', query);
  defineGlobal('$jmesPath', query);
  defineGlobal('$evaluateExpression', refused('$evaluateExpression', 'Write the expression as code.'));
  defineGlobal('$fromAI', (_key: unknown, _description?: unknown, _type?: unknown, fallback?: unknown) => fallback);
}
