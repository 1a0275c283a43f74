import type { JsonObject } from '@weft/node-catalogue';
import { runKind } from './testing/run-kind';

const saved = (value: string): JsonObject => ({ dataToSave: { values: [{ key: 'k', value }] } });

describe('executionData', () => {
  it.each([1, 1.1])('version %s passes every item on, paired with itself', async (version) => {
    const { items } = await runKind('executionData', { version, items: [{ a: 1 }, { a: 2 }], parameters: saved('={{ $json.a }}') });
    expect(items).toEqual([[{ json: { a: 1 }, pairedItem: { item: 0 } }, { json: { a: 2 }, pairedItem: { item: 1 } }]]);
  });

  it('fails on a faulty expression, and gives the failure in place of the item if it is to go on', async () => {
    const parameters = saved("={{ $('Nowhere').item }}");
    expect((await runKind('executionData', { parameters })).error?.message).toContain("node doesn't exist");
    expect((await runKind('executionData', { parameters, node: { onError: 'continueRegularOutput' } })).outputs[0]).toEqual([{ error: expect.stringContaining("node doesn't exist") }]);
  });
});
