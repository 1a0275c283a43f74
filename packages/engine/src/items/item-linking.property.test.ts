import fc from 'fast-check';
import type { JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import type { Item } from './items';
import type { NodeContext, RunNode } from '../node/node';
import { findPairedItem } from './paired-item';
import { RunStore } from '../records/run-store';
import type { TestLink, TestNode, TestResult } from '../testing/run-test-workflow';
import { runTest } from '../testing/run-test-workflow';

/** An item of this test: for each node on its way, the places there that it goes back to, as `run:output:index`. */
type Trail = Readonly<Record<string, readonly string[]>>;
interface Made {
  readonly trails: readonly Trail[];
  readonly pairedItem: NonNullable<Item['pairedItem']>;
}

const trailOf = (item: Item): Trail => {
  const trail = item.json['trail'];
  return Object.fromEntries(
    Object.entries(isJsonObject(trail) ? trail : {}).map(([node, places]) => [
      node,
      Array.isArray(places) ? places.map(String) : [],
    ]),
  );
};
const joined = (trails: readonly Trail[]): Trail => {
  const nodes = new Set(trails.flatMap((trail) => Object.keys(trail)));
  return Object.fromEntries(
    [...nodes].map((node) => [node, [...new Set(trails.flatMap((trail) => trail[node] ?? []))]]),
  );
};
const stamped = (context: NodeContext, outputs: readonly (readonly Made[])[]): ReturnType<RunNode> => ({
  kind: 'items',
  outputs: outputs.map((list, output) =>
    list.map(({ trails, pairedItem }, index): Item => {
      const trail: JsonObject = JSON.parse(
        JSON.stringify({ ...joined(trails), [context.node.name]: [`${context.runIndex}:${output}:${index}`] }),
      );
      return { json: { trail }, pairedItem };
    }),
  ),
});
const one = (item: Item, index: number, input = 0): Made => ({
  trails: [trailOf(item)],
  pairedItem: input === 0 ? { item: index } : { item: index, input },
});
const made = (context: NodeContext): Made[] => context.items.map((item, index) => one(item, index));

const executors: Readonly<Record<string, RunNode>> = {
  pass: (context) => stamped(context, [made(context)]),
  keep: (context) =>
    stamped(context, [
      made(context)
        .filter((_, index) => index % 3 !== 1)
        .reverse(),
    ]),
  double: (context) => stamped(context, [made(context).flatMap((item) => [item, item])]),
  branch: (context) =>
    stamped(context, [
      made(context).filter((_, index) => index % 2 === 0),
      made(context).filter((_, index) => index % 2 === 1),
    ]),
  join: (context) =>
    stamped(context, [[0, 1].flatMap((input) => context.input(input).map((item, index) => one(item, index, input)))]),
  zip: (context) =>
    stamped(context, [
      context.input(0).flatMap((item, index) => {
        const other = context.input(1)[index];
        return other === undefined
          ? []
          : [{ trails: [trailOf(item), trailOf(other)], pairedItem: [{ item: index }, { item: index, input: 1 }] }];
      }),
    ]),
  ask: (context) => ({
    kind: 'items',
    outputs: [context.items.map((_, index): Item => ({ json: { got: answerOf(context, index) } }))],
  }),
};

/** The answer; `nothing` for an error, and where the item did not come that way. */
function answerOf(context: NodeContext, index: number): string {
  try {
    return String(context.parameter('wanted', index) ?? 'nothing');
  } catch {
    return 'nothing';
  }
}

interface Plan {
  readonly kind: string;
  /** Chooses among the nodes in front of it. */
  readonly from: readonly [number, number];
  readonly isDoubled: boolean;
}
const plan: fc.Arbitrary<Plan> = fc.record({
  kind: fc.constantFrom('pass', 'keep', 'double', 'branch', 'join', 'zip'),
  from: fc.tuple(fc.nat(1_000), fc.nat(1_000)),
  isDoubled: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
});

/** Any graph without a circle: each node hangs on one or two earlier ones, some of them twice on the same input. */
function graphOf(plans: readonly Plan[]): { nodes: TestNode[]; links: TestLink[] } {
  const kinds = ['pass', ...plans.map((each) => each.kind)];
  const links = plans.flatMap(({ kind, from, isDoubled }, index): TestLink[] => {
    const ends = from.map((number) => {
      const source = number % (index + 1);
      return `N${source}${kinds[source] === 'branch' ? `:${number % 2}` : ''}`;
    });
    const to = `N${index + 1}`;
    if (kind === 'join' || kind === 'zip') return [`${ends[0]}>${to}:0`, `${ends[1]}>${to}:1`];
    return isDoubled && ends[0] !== ends[1] ? [`${ends[0]}>${to}`, `${ends[1]}>${to}`] : [`${ends[0]}>${to}`];
  });
  const last = `N${plans.length}${kinds[plans.length] === 'branch' ? ':0' : ''}`;
  const ask: TestNode = ['Ask', 'ask', { parameters: { wanted: "={{ $('N0').item.json.trail.N0[0] }}" } }];
  return {
    nodes: [...kinds.map((kind, index): TestNode => [`N${index}`, kind]), ask],
    links: [...links, `${last}>Ask`],
  };
}

/** Every item of every run of every node but the asking one, with where it is. */
function placesOf({
  records,
}: TestResult): { node: string; run: number; output: number; index: number; trail: Trail }[] {
  return [...records]
    .filter(([node]) => node !== 'Ask')
    .flatMap(([node, runs]) =>
      runs.flatMap((record, run) =>
        (record.data?.main ?? []).flatMap((items, output) =>
          items.map((item, index) => ({ node, run, output, index, trail: trailOf(item) })),
        ),
      ),
    );
}

/** The way is lost before that, or it does not lead there. */
const WITHOUT_ORIGIN: unknown = expect.stringMatching(/^(paired_item|no_origin)$/);

describe('the paired item, over any graph', () => {
  it('is the only item of that node that an item was made of, on any path; else there is none', async () => {
    let asked = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(plan, { minLength: 1, maxLength: 6 }),
        async (count, plans) => {
          const { nodes, links } = graphOf(plans);
          const result = await runTest({
            executors,
            nodes,
            links,
            input: Array.from({ length: count }, () => ({})),
            nodeRunsMax: 5_000,
          });
          expect(result.outcome.kind).toBe('success');
          const store = new RunStore(result.records);
          for (const { node, run, output, index, trail } of placesOf(result).slice(0, 200)) {
            for (const [name] of nodes) {
              const find = () =>
                trailOf(
                  findPairedItem(
                    store,
                    [{ previousNode: node, previousNodeRun: run, previousNodeOutput: output }],
                    0,
                    index,
                    name,
                  ),
                )[name];
              const expected = trail[name] ?? [];
              if (expected.length === 1) expect(find()).toEqual(expected);
              else
                expect(find).toThrow(
                  expect.objectContaining({ type: expected.length === 0 ? WITHOUT_ORIGIN : 'paired_item' }),
                );
              asked += 1;
            }
          }
        },
      ),
      { numRuns: 120 },
    );
    expect(asked).toBeGreaterThan(1_000);
  });

  it('is the value of $(name).item in an expression', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(plan, { minLength: 1, maxLength: 6 }),
        async (count, plans) => {
          const { nodes, links } = graphOf(plans);
          const result = await runTest({
            executors,
            nodes,
            links,
            input: Array.from({ length: count }, () => ({})),
            nodeRunsMax: 5_000,
          });
          (result.records.get('Ask') ?? []).forEach((record) => {
            const source = record.source[0];
            const items =
              result.records.get(source?.previousNode ?? '')?.[source?.previousNodeRun ?? 0]?.data?.main?.[
                source?.previousNodeOutput ?? 0
              ] ?? [];
            const expected = items
              .map((item) => trailOf(item)['N0'] ?? [])
              .map((places) => (places.length === 1 ? places[0] : 'nothing'));
            expect(record.data?.main?.[0]?.map((item) => item.json['got'])).toEqual(expected);
          });
        },
      ),
      { numRuns: 80 },
    );
  });
});
