import { runKind } from './testing/run-kind';

describe('noOp', () => {
  it('passes every item on, each paired with itself', async () => {
    const { items } = await runKind('noOp', { items: [{ n: 1 }, { n: 2 }] });
    expect(items).toEqual([
      [
        { json: { n: 1 }, pairedItem: { item: 0 } },
        { json: { n: 2 }, pairedItem: { item: 1 } },
      ],
    ]);
  });
});
