import type { KindCases } from '../../../testing/cases/node-case';

export const outputParserItemListCases: KindCases = {
  kind: 'langchain.outputParserItemList',
  cases: [
    {
      it: 'gives the first three lines',
      versions: [1],
      run: { items: [{ text: 'a\nb\n\nc\nd' }] },
      gives: [[{ parsed: ['a', 'b', 'c'] }]],
    },
    {
      it: 'gives any number of entries',
      versions: [1],
      run: { items: [{ text: 'a; b' }], parameters: { options: { numberOfItems: -1, separator: ';' } } },
      gives: [[{ parsed: ['a', 'b'] }]],
    },
    {
      it: 'refuses too few entries',
      versions: [1],
      run: { items: [{ text: 'a' }], parameters: { options: { numberOfItems: 2 } } },
      fails: "Model output doesn't fit required format",
    },
    {
      it: 'splits at the end of lines if the separator is empty',
      versions: [1],
      run: { items: [{ text: 'a b' }], parameters: { options: { numberOfItems: 1, separator: '={{ null }}' } } },
      gives: [[{ parsed: ['a b'] }]],
    },
  ],
};
