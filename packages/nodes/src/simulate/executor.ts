import { isJsonObject } from '@weft/node-catalogue';
import { type Item, type NodeContext, type NodeExecutor, NodeFailure, output } from '@weft/engine';
import { toJson } from '@weft/expressions';
import { choiceParameter, numberParameter } from '../shared/read-parameter';
import { parseStrictJson } from '../shared/values/loose-json';

const OUTPUTS = ['all', 'specify', 'custom'] as const;
const MAX_MS = 60_000;

/** Outputs its input, or given items, after a given time. */
export const simulate: NodeExecutor = {
  kind: 'simulate',
  actsOutside: false,
  run: async (context) => {
    const items = simulated(context);
    await takeTime(context);
    return output(items);
  },
};

/** Outputs given items after a given time. */
export const simulateTrigger: NodeExecutor = {
  kind: 'simulateTrigger',
  actsOutside: false,
  run: async (context) => {
    const items = customItems(context);
    await takeTime(context);
    return output(items);
  },
};

function simulated(context: NodeContext): Item[] {
  const kept = context.items.map((item, index): Item => ({ ...item, pairedItem: { item: index } }));
  switch (choiceParameter(context, 'output', 0, OUTPUTS)) {
    case 'all':
      return kept;
    case 'specify':
      return kept.slice(0, Math.max(0, numberParameter(context, 'numberOfItems', 0)));
    case 'custom':
      return customItems(context);
  }
}

function customItems(context: NodeContext): Item[] {
  const value = context.parameter('jsonOutput', 0) ?? context.defaultOf('jsonOutput');
  const json = typeof value === 'string' ? parseStrictJson(value) : toJson(value);
  if (json === undefined) throw new NodeFailure('Invalid JSON');
  return (Array.isArray(json) ? json : [json]).map((entry) => {
    if (isJsonObject(entry)) return { json: entry };
    throw new NodeFailure('The parameter "jsonOutput" must be an object or an array of objects');
  });
}

async function takeTime(context: NodeContext): Promise<void> {
  const ms = numberParameter(context, 'executionDuration', 0);
  if (ms > MAX_MS)
    throw new NodeFailure(`The parameter "executionDuration" must be at most ${MAX_MS}, but it is ${ms}`, {
      description: 'Use a Wait node to wait longer.',
    });
  if (ms > 0) await context.ports.clock.sleep(ms, context.signal);
}
