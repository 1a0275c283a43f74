import type { Api } from './api';
import { measureEngine, type EngineFigures } from './engine-figures';
import { ms, ofCeiling, rate, type Row } from './table';
import { tenNodes, tenNodesPath } from './ten-nodes';

const FEW = 1_000;
const MANY = 10_000;
const ROUNDS = 7;

const shapeRows = ({ shapes }: EngineFigures): Row[] =>
  shapes.map(({ shape, perSecond, plainPerSecond }) => ({
    what: `expression: ${shape}`,
    figure: rate(perSecond),
    ceiling: ofCeiling(perSecond, plainPerSecond, 'the same in plain JavaScript'),
  }));

const codeRow = (how: string, figure: number, pipe: number): Row => ({
  what: `Code node, 100 items, ${how}`,
  figure: ms(figure),
  ceiling: `${ms(pipe)} the same JSON to a process and back`,
});

const codeRows = ({ calls }: EngineFigures): Row[] => [
  codeRow('warm call', calls.warmMs, calls.warmPipeMs),
  codeRow('after 40 ms of rest', calls.restedMs, calls.restedPipeMs),
  codeRow('calls back to back', calls.backToBackMs, calls.backToBackPipeMs),
];

/** Milliseconds from the request to the answer of the last node, as a caller sees it. Median. */
const endToEnd = async (api: Api, items: number): Promise<number> => {
  await api.create(tenNodes(items));
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const began = performance.now();
    await api.callWebhook(tenNodesPath(items));
    if (round > 0) times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
};

const perItem = (milliseconds: number, items: number): string =>
  `${((1000 * milliseconds) / items).toFixed(0)} µs an item`;

/** Cost of the workflow language: expressions, Code, and a workflow of ten nodes with few and with many items. */
export const measureLanguage = async (api: Api): Promise<Row[]> => {
  const figures = await measureEngine([tenNodes(FEW), tenNodes(MANY)]);
  const rows: Row[] = [];
  for (const [index, items] of [FEW, MANY].entries()) {
    const took = await endToEnd(api, items);
    const engine = figures.engineMs[index] ?? 0;
    rows.push({
      what: `ten nodes, ${items.toLocaleString('en')} items, request to answer`,
      figure: `${ms(took)}, ${perItem(took, items)}`,
      ceiling: `${ms(engine)} the engine alone, ${perItem(engine, items)} (${Math.round((100 * engine) / took)} %)`,
    });
  }
  return [...shapeRows(figures), ...codeRows(figures), ...rows];
};
