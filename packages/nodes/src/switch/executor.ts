import { plainValue } from '@weft/node-catalogue';
import { type Item, messageOf, type NodeContext, type NodeExecutor, NodeFailure, type NodeShape } from '@weft/engine';
import { booleanParameter, choiceParameter, numberParameter } from '../shared/read-parameter';
import { olderOutputCount, olderOutputsFor } from './older-rules';
import { evaluateFilterParameter } from '../shared/conditions/filter-parameter';
import { mapItems } from '../shared/each-item';

/** Maximum number of outputs of a Switch node. */
const MAX_OUTPUTS = 100;

/** Sends each item to the output of the first rule that holds, or of all that do. */
export const switchNode: NodeExecutor = {
  kind: 'switch',
  actsOutside: false,
  outputCount,
  run: async (context) => {
    const shape = { version: context.version, rawParameter: (path: string) => context.rawParameter(path) };
    const outputs: Item[][] = Array.from({ length: outputCount(shape) }, () => []);
    await mapItems(context, (item, index) => {
      const paired = { ...item, pairedItem: { item: index } };
      try {
        for (const output of context.version < 3
          ? olderOutputsFor(context, index)
          : outputsFor(context, index, outputs.length))
          place(outputs, output, paired, { itemIndex: index, version: context.version });
      } catch (failure) {
        if (!context.continueOnFail) throw failure;
        // The failure has no item, so the item at an error output has no other fields.
        outputs[0]?.push({ json: { error: messageOf(failure) } });
      }
    });
    return { kind: 'items', outputs };
  },
};

function outputCount(shape: NodeShape): number {
  const count = shape.version < 3 ? olderOutputCount(shape) : newerOutputCount(shape);
  return Math.min(MAX_OUTPUTS, Math.max(1, count));
}

function newerOutputCount(shape: NodeShape): number {
  if (plainValue(shape.rawParameter('mode')) === 'expression')
    return Math.floor(Number(plainValue(shape.rawParameter('numberOutputs')) ?? 4)) || 4;
  const rules = shape.rawParameter('rules.values');
  const extra = plainValue(shape.rawParameter('options.fallbackOutput')) === 'extra' ? 1 : 0;
  return (Array.isArray(rules) ? rules.length : 0) + extra;
}

function outputsFor(context: NodeContext, index: number, count: number): number[] {
  if (choiceParameter(context, 'mode', index, ['rules', 'expression']) === 'expression')
    return [numberParameter(context, 'output', index, NaN)];
  const rules = context.rawParameter('rules.values');
  if (!Array.isArray(rules) || rules.length === 0) return [];
  const matching = matchingRules(context, index, rules.length);
  return matching.length > 0 ? matching : fallback(context, index, count);
}

function matchingRules(context: NodeContext, index: number, count: number): number[] {
  const all = booleanParameter(context, 'options.allMatchingOutputs', index);
  const matching: number[] = [];
  for (let rule = 0; rule < count; rule += 1) {
    if (!evaluateFilterParameter(context, `rules.values.${rule}.conditions`, index, 3.1)) continue;
    matching.push(rule);
    if (!all) break;
  }
  return matching;
}

function fallback(context: NodeContext, index: number, count: number): number[] {
  const given = context.parameter('options.fallbackOutput', index);
  if (given === undefined || given === null || given === 'none') return [];
  return given === 'extra' ? [count - 1] : [Number(given)];
}

interface Where {
  readonly itemIndex: number;
  readonly version: number;
}

function place(outputs: readonly Item[][], output: number, item: Item, where: Where): void {
  const list = Number.isInteger(output) ? outputs[output] : undefined;
  if (list === undefined) throw noSuchOutput(output, outputs.length, where);
  list.push(item);
}

/** Workflows match on the message, so it has n8n's spelling. */
function noSuchOutput(output: number, count: number, { itemIndex, version }: Where): NodeFailure {
  const range = `between 0 and ${count - 1}`;
  const message = `The ouput ${output} is not allowed`;
  if (version < 3) return new NodeFailure(`${message}. It has to be ${range}!`, { itemIndex });
  const description = `Outputs are counted from 0: use one ${range}.`;
  return new NodeFailure(output === count ? `${message}. ` : message, { itemIndex, description });
}
