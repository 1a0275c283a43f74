import { toJson } from '@weft/expressions';
import { bundleForBrowser } from '@weft/expressions/testing/browser-build';
import { readDefinition } from '@weft/node-catalogue';
import { join } from 'node:path';
import type { RunNode } from '../node/node';
import { previewFrame, previewScope, previewText, ExpressionError } from './index';
import { jsonOf, pass, runTest, type TestRun } from '../testing/run-test-workflow';

const TEXTS: readonly string[] = [
  `={{ $('Make').item.json.n * 10 + $json.n }}`,
  `={{ $('Make').first().json.n }} of {{ $('Make').all().length }}`,
  `={{ $node["Even"].json.n + $input.all().length + $itemIndex }}`,
  `={{ $prevNode.name }} {{ $workflow.id }} {{ $execution.mode }} {{ $nodeVersion }}`,
  `={{ $now.toISO() }}`,
  `={{ $('Never').isExecuted }}`,
  `={{ $('Pinned').all().length }}`,
];

const make: RunNode = () => ({ kind: 'items', outputs: [[1, 2, 3, 4].map((n) => ({ json: { n } }))] });

/** Odd and even numbers take different ways, and `Show` evaluates its expressions for each item. */
const even: RunNode = (context) => {
  const indexed = context.items.map((item, index) => ({ json: item.json, pairedItem: { item: index } }));
  const isEven = ({ json }: (typeof indexed)[number]): boolean => Number(json['n']) % 2 === 0;
  return { kind: 'items', outputs: [indexed.filter(isEven), indexed.filter((item) => !isEven(item))] };
};
const show: RunNode = (context) => ({
  kind: 'items',
  outputs: [
    context.items.map((_, item) => ({
      json: { shown: TEXTS.map((__, text) => toJson(context.parameter(`texts.${text}`, item)) ?? null) },
      pairedItem: { item },
    })),
  ],
});

const TEST: TestRun = {
  nodes: [
    ['Start', 'pass'],
    ['Make', 'make'],
    ['Even', 'even'],
    ['Show', 'show', { parameters: { texts: [...TEXTS] } }],
    ['Never', 'pass'],
    ['Pinned', 'pass'],
  ],
  links: ['Start>Make', 'Make>Even', 'Even>Show', 'Never>Pinned'],
  executors: { pass, make, even, show },
  definition: { pinData: { Pinned: [{ json: {} }, { json: {} }] }, settings: { timezone: 'Europe/Berlin' } },
  now: 1_700_000_000_000,
};

describe('a preview', () => {
  it('shows the values that the run recorded, from the data that clients read', async () => {
    const { records, outcome } = await runTest(TEST);
    expect(outcome.kind).toBe('success');
    const stored: [string, NonNullable<ReturnType<typeof records.get>>][] = JSON.parse(JSON.stringify([...records]));
    const nodes = TEST.nodes.map(([name, kind, over], index) => ({
      id: name,
      name,
      type: `weft-nodes-base.${kind}`,
      position: [0, index],
      parameters: {},
      ...over,
    }));
    const definition = readDefinition({
      nodes,
      connections: {
        Start: { main: [[{ node: 'Make' }]] },
        Make: { main: [[{ node: 'Even' }]] },
        Even: { main: [[{ node: 'Show' }]] },
        Never: { main: [[{ node: 'Pinned' }]] },
      },
      ...TEST.definition,
    });
    const frame = previewFrame({
      definition,
      kinds: new Map(),
      runs: new Map(stored),
      workflowId: 'w1',
      executionId: 'e1',
      mode: 'manual',
      workflowActive: true,
      usePinData: true,
      defaultTimezone: 'UTC',
      now: 1_700_000_000_000,
    });
    const recorded = jsonOf({ records }, 'Show');
    const sources = records.get('Show')?.[0]?.source ?? [];
    const previews = [0, 1].map((item) => ({
      shown: TEXTS.map((text) => previewText(text, previewScope(frame, { node: 'Show', sources, run: 0, item }))),
    }));
    expect(previews).toEqual(recorded);
    expect(recorded?.[1]).toMatchObject({ shown: expect.arrayContaining([44, '1 of 4', 7]) });
    const scope = previewScope(frame, { node: 'Show', sources, run: 0, item: 0 });
    expect(() => previewText(`={{ $('Never').all() }}`, scope)).toThrow(ExpressionError);
    expect(() => previewScope(frame, { node: 'Gone', sources, run: 0, item: 0 })).toThrow('no node called "Gone"');
  });

  it('fits into a worker of a browser: no module of Node, at most 290 KB', () => {
    const { imports, gzipBytes } = bundleForBrowser(join(__dirname, 'index.js'));
    expect(imports).toEqual([]);
    expect(gzipBytes).toBeLessThan(290 * 1024);
  });
});
