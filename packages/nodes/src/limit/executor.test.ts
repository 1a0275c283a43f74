import { runKind } from '../testing/cases/run-kind';

const items = [{ n: 1 }, { n: 2 }, { n: 3 }];

describe('limit', () => {
  it.each([
    [{}, [{ n: 1 }]],
    [{ maxItems: 2 }, [{ n: 1 }, { n: 2 }]],
    [{ maxItems: 2, keep: 'lastItems' }, [{ n: 2 }, { n: 3 }]],
    [{ maxItems: 9 }, items],
    [{ maxItems: 0 }, []],
  ])('with %j passes on %j', async (parameters, expected) => {
    expect((await runKind('limit', { items, parameters })).outputs).toEqual([expected]);
  });

  it('links the items to themselves', async () => {
    expect((await runKind('limit', { items, parameters: { keep: 'lastItems' } })).items[0]?.[0]?.pairedItem).toEqual({
      item: 2,
    });
  });
});
