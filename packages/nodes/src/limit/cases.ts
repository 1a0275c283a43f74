import type { KindCases } from '../testing/cases/node-case';

const items = [{ n: 1 }, { n: 2 }, { n: 3 }];

export const limitCases: KindCases = {
  kind: 'limit',
  cases: [
    {
      it: 'passes the first item on by default',
      versions: [1],
      run: { items },
      gives: [[{ n: 1 }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'passes the last items on if configured',
      versions: [1],
      run: { items, parameters: { maxItems: 2, keep: 'lastItems' } },
      gives: [[{ n: 2 }, { n: 3 }]],
      pairs: [[{ item: 1 }, { item: 2 }]],
    },
    {
      it: 'requires a number',
      versions: [1],
      run: { items: [{}], parameters: { maxItems: '={{ "many" }}' } },
      fails: 'The parameter "maxItems" must be a number, but it is "many"',
    },
  ],
};
