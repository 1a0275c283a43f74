import { runKind } from '../testing/cases/run-kind';

const items = [
  { n: 1, s: 'a' },
  { n: 5, s: 'b' },
];
const conditions = {
  combinator: 'and',
  conditions: [{ leftValue: '={{ $json.n }}', rightValue: 3, operator: { type: 'number', operation: 'gt' } }],
};

describe('filter', () => {
  it.each([2, 2.1, 2.2, 2.3])(
    'version %s passes items on whose conditions hold, and records the others',
    async (version) => {
      const { outputs, items: given } = await runKind('filter', { version, items, parameters: { conditions } });
      expect(outputs).toEqual([[items[1]], [items[0]]]);
      expect(given[0]?.[0]?.pairedItem).toEqual({ item: 1 });
    },
  );

  it('accepts conditions of the older form, all or any of which must hold', async () => {
    const older = {
      string: [{ value1: '={{ $json.s }}', operation: 'equal', value2: 'b' }],
      number: [{ value1: '={{ $json.n }}', operation: 'smaller', value2: 3 }],
    };
    expect((await runKind('filter', { version: 1, items, parameters: { conditions: older } })).outputs[0]).toEqual([]);
    expect(
      (await runKind('filter', { version: 1, items, parameters: { conditions: older, combineConditions: 'OR' } }))
        .outputs[0],
    ).toEqual(items);
  });

  it('discards an item whose conditions cannot be evaluated, if it continues', async () => {
    const wrong = {
      ...conditions,
      conditions: [{ leftValue: '={{ $json.s }}', rightValue: 3, operator: { type: 'number', operation: 'gt' } }],
    };
    expect(
      (await runKind('filter', { version: 2.2, items, parameters: { conditions: wrong } })).error?.message,
    ).toContain('Wrong type');
    expect(
      (
        await runKind('filter', {
          version: 2.2,
          items,
          parameters: { conditions: wrong },
          node: { onError: 'continueRegularOutput' },
        })
      ).outputs[0],
    ).toEqual([]);
  });
});
