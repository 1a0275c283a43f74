import type { Json, JsonObject } from '@weft/node-catalogue';
import { type NodeContext, type NodeExecutor, output } from '@weft/engine';
import type { CodeRunner } from '@weft/sandbox';
import { benchDeps } from './bench-deps';
import { EXPRESSION_SHAPES, SHAPE_ITEM } from './expression-shapes';
import { benchNode, runDefinition } from './run-definition';

const ITEMS = 100;
/** Long enough for the timer, short enough for ten shapes. */
const MEASURE_MS = 400;
const WARM_UP_MS = 200;

/** Evaluations of one shape per second, and the same in plain JavaScript. */
export interface ShapeRate {
  readonly shape: string;
  readonly perSecond: number;
  readonly plainPerSecond: number;
}

let sink: unknown;

const perSecond = (limitMs: number, once: (item: number) => unknown): number => {
  const began = performance.now();
  let count = 0;
  for (;;) {
    for (let item = 0; item < ITEMS; item += 1) sink = once(item);
    count += ITEMS;
    const took = performance.now() - began;
    if (took >= limitMs) return (count / took) * 1000;
  }
};

const measured = (once: (item: number) => unknown): number => {
  perSecond(WARM_UP_MS, once);
  return perSecond(MEASURE_MS, once);
};

/** A node whose parameters are the shapes. It evaluates each as often as it can, as the engine would for its items. */
const probe = (rates: ShapeRate[]): NodeExecutor => ({
  kind: 'probe',
  actsOutside: false,
  run: (context: NodeContext) => {
    const all = Array.from({ length: ITEMS }, () => SHAPE_ITEM);
    for (const [index, { name, plain }] of EXPRESSION_SHAPES.entries()) {
      const interpreted = measured((item) => context.parameter(`shape${index}`, item));
      rates.push({
        shape: name,
        perSecond: interpreted,
        plainPerSecond: measured((item) => plain(all[item] ?? SHAPE_ITEM, all)),
      });
    }
    return output([...context.items]);
  },
});

/** Measures the ten shapes within a run of the engine. */
export const measureExpressions = async (code: CodeRunner): Promise<ShapeRate[]> => {
  const rates: ShapeRate[] = [];
  const parameters: Record<string, Json> = Object.fromEntries(
    EXPRESSION_SHAPES.map(({ text }, index) => [`shape${index}`, text]),
  );
  const definition: JsonObject = {
    name: 'Shapes',
    nodes: [benchNode('Source', 'noOp'), benchNode('Probe', 'probe', parameters)],
    connections: { Source: { main: [[{ node: 'Probe', type: 'main', index: 0 }]] } },
  };
  const json: JsonObject = JSON.parse(JSON.stringify(SHAPE_ITEM));
  await runDefinition(
    definition,
    Array.from({ length: ITEMS }, () => ({ json })),
    benchDeps(code, [probe(rates)]),
  );
  if (sink === undefined) throw new Error('Nothing was evaluated.');
  return rates;
};
