import { plainValue } from '@weft/node-catalogue';
import type { NodeContext, NodeShape } from '@weft/engine';
import { compareTyped, millisOf } from '../shared/conditions/typed-conditions';
import { choiceParameter, numberParameter, objectsParameter } from '../shared/read-parameter';

/** Number of outputs of version 1, whatever its rules. */
const FIRST_VERSION_OUTPUTS = 4;
/** Default operation of a rule, by the type of its values. */
const INITIAL = { boolean: 'equal', dateTime: 'after', number: 'smaller', string: 'equal' } as const;

/** Number of outputs before version 3. */
export function olderOutputCount(shape: NodeShape): number {
  if (shape.version < 2) return FIRST_VERSION_OUTPUTS;
  if (plainValue(shape.rawParameter('mode')) === 'expression')
    return Number(plainValue(shape.rawParameter('outputsAmount')) ?? 4);
  const rules = shape.rawParameter('rules.rules');
  const extra = plainValue(shape.rawParameter('fallbackOutput')) === 'extra' ? 1 : 0;
  return (Array.isArray(rules) ? rules.length : 0) + extra;
}

/** The output of an item before version 3: of the first rule that holds, or the fallback. */
export function olderOutputsFor(context: NodeContext, itemIndex: number): number[] {
  if (choiceParameter(context, 'mode', itemIndex, ['rules', 'expression']) === 'expression')
    return [numberParameter(context, 'output', itemIndex, 0)];
  const type = choiceParameter(context, 'dataType', itemIndex, ['boolean', 'dateTime', 'number', 'string'], 'number');
  const convert = (value: unknown): unknown => (type === 'dateTime' ? millisOf(value, itemIndex) : value);
  const value1 = convert(context.parameter('value1', itemIndex));
  const rules = objectsParameter(context, 'rules.rules', itemIndex);
  const rule = rules.findIndex((one) =>
    compareTyped(operationOf(one, type), value1, convert('value2' in one ? one['value2'] : initialValue(type))),
  );
  if (rule >= 0) return [context.version < 2 ? Number(rules[rule]?.['output'] ?? 0) : rule];
  const fallback = context.parameter('fallbackOutput', itemIndex);
  if (fallback === 'extra') return [rules.length];
  return fallback === undefined || fallback === null || Number(fallback) < 0 ? [] : [Number(fallback)];
}

function operationOf(rule: Record<string, unknown>, type: keyof typeof INITIAL): string {
  return typeof rule['operation'] === 'string' ? rule['operation'] : INITIAL[type];
}

function initialValue(type: keyof typeof INITIAL): unknown {
  return { boolean: false, dateTime: '', number: 0, string: '' }[type];
}
