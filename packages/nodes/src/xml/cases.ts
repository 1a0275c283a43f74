import type { KindCases } from '../testing/cases/node-case';

export const xmlCases: KindCases = {
  kind: 'xml',
  cases: [
    {
      it: 'reads XML by default, with attributes alongside children',
      versions: [1],
      run: { items: [{ data: '<a id="1"><b>x</b></a>' }] },
      gives: [[{ a: { id: '1', b: 'x' } }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'writes the item as XML',
      versions: [1],
      run: { items: [{ a: { b: 'x' } }], parameters: { mode: 'jsonToxml', options: { headless: true } } },
      gives: [[{ data: expect.stringMatching(/^<a>\s*<b>x<\/b>\s*<\/a>$/) }]],
    },
    {
      it: 'reports a field that the item does not have',
      versions: [1],
      run: { items: [{}], parameters: { dataPropertyName: 'gone' } },
      fails: 'Item has no JSON property called "gone"',
    },
  ],
};
