import fc from 'fast-check';
import type { Item } from './items';
import type { RunNode } from '../node/node';
import { findPairedItem } from './paired-item';
import { fillItemLinks } from './item-linking';
import { RunStore } from '../records/run-store';
import type { TestNode } from '../testing/run-test-workflow';
import { itemsOf, join, pass, runTest } from '../testing/run-test-workflow';

const items = (count: number): Item[] => Array.from({ length: count }, (_, n) => ({ json: { n } }));
const pairs = (outputs: readonly (readonly Item[])[]) => outputs.map((list) => list.map((item) => item.pairedItem));

describe('fillItemLinks', () => {
  it('pairs everything with the only input item', () => {
    expect(pairs(fillItemLinks([items(2), items(1)], [items(1)]))).toEqual([[{ item: 0 }, { item: 0 }], [{ item: 0 }]]);
  });

  it('pairs item by item where as many go in as come out', () => {
    expect(pairs(fillItemLinks([items(3)], [items(3)]))).toEqual([[{ item: 0 }, { item: 1 }, { item: 2 }]]);
  });

  it('pairs one item made of several with the first of them', () => {
    expect(pairs(fillItemLinks([items(1)], [items(3)]))).toEqual([[{ item: 0 }]]);
  });

  it.each([
    ['more come out than went in', [items(3)], [items(2)]],
    ['fewer come out than went in, and more than one', [items(2)], [items(3)]],
    ['there are several outputs', [items(1), items(1)], [items(2)]],
    ['there are several inputs', [items(1)], [items(1), items(1)]],
  ])('leaves it open if %s', (_, outputs, inputs) => {
    expect(fillItemLinks(outputs, inputs)).toEqual(outputs);
  });

  it('retains links that the node set itself', () => {
    expect(pairs(fillItemLinks([[{ json: {}, pairedItem: { item: 4 } }, { json: {} }]], [items(2)]))).toEqual([
      [{ item: 4 }, { item: 1 }],
    ]);
  });
});

/**
 * Selects every item whose number is in the parameter `keep`, in the order of that list, and pairs each with its
 * origin.
 */
const pick: RunNode = (context) => {
  const keep = context.rawParameter('keep');
  const chosen = (Array.isArray(keep) ? keep : []).map(Number).filter((index) => index < context.items.length);
  return {
    kind: 'items',
    outputs: [
      chosen.flatMap((item) => context.items.slice(item, item + 1).map(({ json }) => ({ json, pairedItem: { item } }))),
    ],
  };
};
const lose: RunNode = (context) => ({
  kind: 'items',
  outputs: [[...context.items.map(({ json }) => ({ json })), { json: {} }]],
});
const all: RunNode = (context) => ({
  kind: 'items',
  outputs: [[{ json: {}, pairedItem: context.items.map((_, item) => ({ item })) }]],
});
const executors = { pass, pick, join, lose, all };

/** For every item of the last node: the item of `name` that it originates from. */
async function origins(
  nodes: readonly TestNode[],
  links: readonly string[],
  count: number,
  last: string,
  name: string,
): Promise<[unknown, unknown][]> {
  const result = await runTest({ executors, nodes, links, input: items(count).map((item) => item.json) });
  const store = new RunStore(result.records);
  return (itemsOf(result, last) ?? []).map((item, index) => [
    item.json,
    findPairedItem(store, [{ previousNode: last }], 0, index, name).json,
  ]);
}

describe('findPairedItem', () => {
  it('leads every item back to the one it was made of, over any chain of nodes that pick and reorder', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.array(fc.array(fc.nat(5), { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 }),
        async (count, chain) => {
          const nodes: TestNode[] = [
            ['S', 'pass'],
            ...chain.map((keep, index): TestNode => [`P${index}`, 'pick', { parameters: { keep } }]),
          ];
          const links = nodes.slice(1).map(([name], index) => `${nodes[index]?.[0]}>${name}`);
          for (const [got, origin] of await origins(nodes, links, count, `P${chain.length - 1}`, 'S'))
            expect(origin).toEqual(got);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('leads back through the input an item came from, where branches were joined', async () => {
    const nodes: TestNode[] = [
      ['S', 'pass'],
      ['A', 'pick', { parameters: { keep: [1, 0] } }],
      ['B', 'pick', { parameters: { keep: [2] } }],
      ['J', 'join'],
    ];
    const found = await origins(nodes, ['S>A', 'S>B', 'A>J:0', 'B>J:1'], 3, 'J', 'S');
    expect(found).toEqual([
      [{ n: 1 }, { n: 1 }],
      [{ n: 0 }, { n: 0 }],
      [{ n: 2 }, { n: 2 }],
    ]);
  });

  it('takes a list of origins that all lead to the same item', async () => {
    expect(
      await origins(
        [
          ['S', 'pass'],
          ['A', 'pass'],
          ['G', 'all'],
        ],
        ['S>A', 'A>G'],
        1,
        'G',
        'S',
      ),
    ).toEqual([[{}, { n: 0 }]]);
  });

  it('refuses a list that leads to different items', async () => {
    await expect(
      origins(
        [
          ['S', 'pass'],
          ['G', 'all'],
        ],
        ['S>G'],
        2,
        'G',
        'S',
      ),
    ).rejects.toMatchObject({ type: 'paired_item', message: expect.stringContaining('Multiple') });
  });

  it('names the node where the path is lost', async () => {
    await expect(
      origins(
        [
          ['S', 'pass'],
          ['Lossy', 'lose'],
          ['E', 'pass'],
        ],
        ['S>Lossy', 'Lossy>E'],
        2,
        'E',
        'S',
      ),
    ).rejects.toMatchObject({ type: 'paired_item', message: expect.stringContaining("'Lossy'") });
  });

  it('says so if the item does not come from that node', async () => {
    await expect(
      origins(
        [
          ['S', 'pass'],
          ['A', 'pass'],
          ['B', 'pass'],
        ],
        ['S>A', 'S>B'],
        1,
        'B',
        'A',
      ),
    ).rejects.toMatchObject({ type: 'no_origin', node: 'A' });
  });

  it('makes the part of an expression undefined where branches meet and the item came by the other one', async () => {
    const seen: unknown[] = [];
    const ask: RunNode = (context) => {
      context.items.forEach((_, index) =>
        seen.push([context.parameter('path', index), context.parameter('text', index)]),
      );
      return pass(context);
    };
    const parameters = { path: "={{ $('A').item.json.n }}", text: "=v{{ $('A').item.json.n + 1 }}" };
    const { outcome } = await runTest({
      executors: { pass, join, ask },
      nodes: [
        ['S', 'pass'],
        ['A', 'pass'],
        ['J', 'join'],
        ['E', 'ask', { parameters }],
      ],
      links: ['S>A', 'A>J:0', 'S>J:1', 'J>E'],
      input: [{ n: 1 }],
    });
    expect(outcome.kind).toBe('success');
    expect(seen).toEqual([
      [1, 'v2'],
      [undefined, 'v'],
    ]);
  });
});
