import { readPins } from './pins';

describe('readPins', () => {
  it('reads items, and takes any other value as the JSON of one', () => {
    expect([...readPins({ A: [{ json: { n: 1 } }, { n: 2 }, 3, null] })]).toEqual([
      ['A', [{ json: { n: 1 } }, { json: { n: 2 } }]],
    ]);
  });

  it('preserves the links of an item in every form', () => {
    const pins = [
      { json: {}, pairedItem: 2 },
      { json: {}, pairedItem: { item: 1, input: 1 } },
      { json: {}, pairedItem: [{ item: 0 }, 'x'] },
      { json: {}, pairedItem: 'x' },
    ];
    expect(
      readPins({ A: pins })
        .get('A')
        ?.map((item) => item.pairedItem),
    ).toEqual([[{ item: 2 }], [{ item: 1, input: 1 }], [{ item: 0 }], undefined]);
  });
});
