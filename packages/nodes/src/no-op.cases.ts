import type { KindCases } from './testing/node-case';

const items = [{ n: 1 }, { n: 2 }];

/** What No operation promises. */
export const noOpCases: KindCases = {
  kind: 'noOp',
  cases: [
    { it: 'passes its items on', versions: [1], run: { items }, gives: [items], pairs: [[{ item: 0 }, { item: 1 }]] },
  ],
};
