import type { KindCases } from '../testing/cases/node-case';

const items = [{ old: 1, keep: { old: 2 } }];

export const renameKeysCases: KindCases = {
  kind: 'renameKeys',
  cases: [
    {
      it: 'renames a field and leaves the rest unchanged',
      versions: [1],
      run: { items, parameters: { keys: { key: [{ currentKey: 'old', newKey: 'new' }] } } },
      gives: [[{ keep: { old: 2 }, new: 1 }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'renames by pattern on every level',
      versions: [1],
      run: {
        items,
        parameters: {
          additionalOptions: { regexReplacement: { replacements: [{ searchRegex: '^old$', replaceRegex: 'x' }] } },
        },
      },
      gives: [[{ x: 1, keep: { x: 2 } }]],
    },
    {
      it: 'reports a pattern that cannot be used',
      versions: [1],
      run: {
        items: [{ a: 1 }],
        parameters: { additionalOptions: { regexReplacement: { replacements: [{ searchRegex: '(' }] } } },
      },
      fails: 'The regular expression ( cannot be used',
    },
  ],
};
