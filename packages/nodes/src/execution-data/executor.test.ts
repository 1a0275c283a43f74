import type { JsonObject } from '@weft/node-catalogue';
import { customDataOf } from '@weft/engine';
import { runTest, type TestResult } from '@weft/engine/testing';
import { KIND_TABLE } from '../descriptors/kinds';
import { executionData } from './executor';
import { runKind } from '../testing/cases/run-kind';

const saved = (...values: JsonObject[]): JsonObject => ({ dataToSave: { values } });

/** The values recorded at the end of the run. */
const keptOf = async (
  items: readonly JsonObject[],
  ...values: JsonObject[]
): Promise<TestResult['events'][number]['customData']> => {
  const given = items.map((json) => ({ json }));
  const { events } = await runTest({
    nodes: [
      ['Source', 'source'],
      ['Save', 'executionData', { parameters: saved(...values) }],
      ['After', 'after'],
    ],
    links: ['Source>Save', 'Save>After'],
    kinds: KIND_TABLE,
    executors: {
      source: () => ({ kind: 'items', outputs: [given] }),
      executionData,
      after: ({ items: all }) => ({ kind: 'items', outputs: [all] }),
    },
  });
  return events.at(-1)?.customData;
};

describe('executionData', () => {
  it.each([1, 1.1])('version %s passes every item on, linked to itself', async (version) => {
    const { items } = await runKind('executionData', {
      version,
      items: [{ a: 1 }, { a: 2 }],
      parameters: saved({ key: 'k', value: '={{ $json.a }}' }),
    });
    expect(items).toEqual([
      [
        { json: { a: 1 }, pairedItem: { item: 0 } },
        { json: { a: 2 }, pairedItem: { item: 1 } },
      ],
    ]);
  });

  it('records pairs for the execution as strings; the last value of a name wins', async () => {
    const pairs = [
      { key: 'customer', value: '={{ "c-" + $json.n }}' },
      { key: 'of', value: '={{ { "a": [1] } }}' },
      { key: 'gone', value: '={{ $json.missing }}' },
    ];
    expect(await keptOf([{ n: 1 }, { n: 2 }], ...pairs)).toEqual({ customer: 'c-2', of: '{"a":[1]}' });
    expect(await keptOf([{ n: 1 }])).toBeUndefined();
  });

  it('stores at most ten, and truncates long names and values', async () => {
    const kept = await keptOf(
      [{}],
      ...Array.from({ length: 12 }, (_, n) => ({ key: `k${n}`, value: 'x'.repeat(600) })),
      { key: 'k3', value: 'again' },
    );
    expect(Object.keys(kept ?? {})).toHaveLength(10);
    expect(kept).toMatchObject({ k0: 'x'.repeat(512), k3: 'again' });
    expect(Object.keys((await keptOf([{}], { key: 'n'.repeat(60), value: '1' })) ?? {})).toEqual(['n'.repeat(50)]);
  });

  it('outputs no more than the limits allow, whichever node recorded it', () => {
    const customData = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [`${n}`.padEnd(80, '_'), 'v'.repeat(1_000)]),
    );
    const kept = Object.entries(customDataOf({ customData }) ?? {});
    expect(kept).toHaveLength(10);
    expect(kept.every(([key, value]) => key.length === 50 && value.length === 512)).toBe(true);
  });

  it('rejects a name with other characters', async () => {
    expect(
      (await runKind('executionData', { parameters: saved({ key: 'no spaces', value: 1 }) })).error?.message,
    ).toContain('A-Za-z0-9_');
  });

  it('fails on an expression error, and replaces the item by the error if it continues', async () => {
    const parameters = saved({ key: 'k', value: "={{ $('Nowhere').item }}" });
    expect((await runKind('executionData', { parameters })).error?.message).toContain("node doesn't exist");
    expect(
      (await runKind('executionData', { parameters, node: { onError: 'continueRegularOutput' } })).outputs[0],
    ).toEqual([{ error: expect.stringContaining("node doesn't exist") }]);
  });
});
