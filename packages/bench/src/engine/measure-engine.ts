import { sendRequests } from '../loads/send-requests';
import { tenNodes } from '../loads/ten-nodes';
import { webhookRequests } from '../loads/webhook-loads';
import { ms, ofCeiling, rate } from '../report/numbers';
import type { Row } from '../report/table';
import type { Subject } from '../stacks/subject';
import { runEngineProgram, type EngineFigures } from './engine-figures';

const ROUNDS = 7;

const shapeRows = ({ shapes }: EngineFigures): Row[] =>
  shapes.map(({ shape, perSecond, plainPerSecond }) => ({
    cells: [`expression: ${shape}`, rate(perSecond)],
    note: ofCeiling(perSecond, plainPerSecond, 'the same in plain JavaScript'),
  }));

const codeRow = (how: string, figure: number, pipe: number): Row => ({
  cells: [`Code node, 100 items, ${how}`, ms(figure)],
  note: `${ms(pipe)} the same JSON to a process and back`,
});

const codeRows = ({ calls }: EngineFigures): Row[] => [
  codeRow('warm call', calls.warmMs, calls.warmPipeMs),
  codeRow('after 40 ms of rest', calls.restedMs, calls.restedPipeMs),
  codeRow('calls back to back', calls.backToBackMs, calls.backToBackPipeMs),
];

/** Milliseconds from the request to the answer of the last node, as a caller sees it. Median. */
const endToEnd = async (subject: Subject, items: number): Promise<number> => {
  const path = `engine-${items}`;
  await subject.api.create(tenNodes(path, items));
  const requests = webhookRequests(subject, path, 1);
  await sendRequests(requests, { amount: 1 });
  return (await sendRequests(requests, { amount: ROUNDS })).p50Ms;
};

const perItem = (milliseconds: number, items: number): string =>
  `${((1000 * milliseconds) / items).toFixed(0)} µs an item`;

/** Figures of the engine, and of workflows of ten nodes from request to answer. */
export interface EngineResult extends EngineFigures {
  readonly tenNodes: readonly { readonly items: number; readonly answeredMs: number; readonly engineMs: number }[];
}

const SIZES = [1_000, 10_000];

/** Cost of the workflow language: expressions, Code, and a workflow of ten nodes with few and with many items. */
export const measureEngine = async (subject: Subject): Promise<EngineResult> => {
  const figures = await runEngineProgram(SIZES.map((items) => tenNodes('engine', items)));
  const results: EngineResult['tenNodes'][number][] = [];
  for (const [index, items] of SIZES.entries())
    results.push({ items, answeredMs: await endToEnd(subject, items), engineMs: figures.engineMs[index] ?? 0 });
  return { ...figures, tenNodes: results };
};

/** The figures as rows. */
export const engineRows = (result: EngineResult): Row[] => [
  ...shapeRows(result),
  ...codeRows(result),
  ...result.tenNodes.map(({ items, answeredMs, engineMs }) => ({
    cells: [
      `ten nodes, ${items.toLocaleString('en')} items, request to answer`,
      `${ms(answeredMs)}, ${perItem(answeredMs, items)}`,
    ],
    note:
      `${ms(engineMs)} the engine alone, ${perItem(engineMs, items)} ` +
      `(${Math.round((100 * engineMs) / answeredMs)} %)`,
  })),
];
