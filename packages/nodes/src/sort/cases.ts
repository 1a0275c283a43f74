import type { KindCases } from '../testing/cases/node-case';

const items = [{ n: 'b' }, { n: 'C' }, { n: 'a' }];

export const sortCases: KindCases = {
  kind: 'sort',
  cases: [
    {
      it: 'sorts by fields, ignoring case',
      versions: [1],
      run: { items, parameters: { sortFieldsUi: { sortField: [{ fieldName: 'n' }] } } },
      gives: [[{ n: 'a' }, { n: 'b' }, { n: 'C' }]],
      pairs: [[{ item: 2 }, { item: 0 }, { item: 1 }]],
    },
    {
      it: 'rejects a field that no item has',
      versions: [1],
      run: { items, parameters: { sortFieldsUi: { sortField: [{ fieldName: 'zz' }] } } },
      fails: "Couldn't find the field 'zz'",
    },
  ],
};
