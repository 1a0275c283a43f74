import type { KindCases } from '../testing/cases/node-case';

const items = [{ data: '<h1>Big</h1><ul><li>One <a href="/1">first</a></li><li>Two</li></ul>' }];
const values = (value: object) => ({ extractionValues: { values: [{ key: 'k', ...value }] } });

export const htmlCases: KindCases = {
  kind: 'html',
  cases: [
    {
      it: 'fills in a template for every item',
      versions: [1, 1.1, 1.2],
      run: { items: [{ n: 1 }, { n: 2 }], parameters: { html: '<p>{{ $json.n }}</p>' } },
      gives: [[{ html: '<p>1</p>' }, { html: '<p>2</p>' }]],
    },
    {
      it: 'writes undefined, null and NaN into a template, and leaves unmatched braces',
      versions: [1, 1.1, 1.2],
      run: {
        items: [{ o: { p: 1 }, l: [1, [2]], e: '' }],
        parameters: {
          html: '{{ $json.none }}|{{ null }}|{{ 0 / 0 }}|{{ $json.e }}|{{ false }}|{{ $json.o }}|{{ $json.l }}|{{',
        },
      },
      gives: [[{ html: 'undefined|null|NaN||false|[object Object]|1,2|{{' }]],
    },
    {
      it: 'treats a template that begins like an expression the same way',
      versions: [1, 1.1, 1.2],
      run: { items: [{ n: 1 }], parameters: { html: '=<p>{{ $json.n }}{{ $json.none }}</p>' } },
      gives: [[{ html: '<p>1undefined</p>' }]],
    },
    {
      it: 'extracts the text unchanged',
      versions: [1, 1.1],
      run: { items, parameters: { operation: 'extractHtmlContent', ...values({ cssSelector: 'li' }) } },
      gives: [[{ k: 'One firstTwo' }]],
    },
    {
      it: 'extracts the text of the first match as a browser shows it',
      versions: [1.2],
      run: { items, parameters: { operation: 'extractHtmlContent', ...values({ cssSelector: 'li' }) } },
      gives: [[{ k: 'One first [/1]' }]],
    },
    {
      it: 'omits the field if no text matches',
      versions: [1, 1.1],
      run: { items, parameters: { operation: 'extractHtmlContent', ...values({ cssSelector: 'nope' }) } },
      gives: [[{}]],
    },
    {
      it: 'extracts an attribute of every match',
      versions: [1, 1.1, 1.2],
      run: {
        items,
        parameters: {
          operation: 'extractHtmlContent',
          ...values({ cssSelector: 'a', returnValue: 'attribute', attribute: 'href', returnArray: true }),
        },
      },
      gives: [[{ k: ['/1'] }]],
    },
    {
      it: 'creates one table from all items',
      versions: [1, 1.1, 1.2],
      run: {
        items: [{ a: 1 }, { a: 2 }],
        parameters: { operation: 'convertToHtmlTable', options: { customStyling: true } },
      },
      gives: [
        [
          {
            table:
              '<table  ><thead  ><tr><th>a</th></tr></thead><tbody><tr  ><td  >1</td></tr><tr  ><td  >2</td></tr>' +
              '</tbody></table>',
          },
        ],
      ],
    },
    {
      it: 'styles a table by default, with the given attributes',
      versions: [1, 1.1, 1.2],
      run: {
        items: [{ a: null }],
        parameters: {
          operation: 'convertToHtmlTable',
          options: { tableAttributes: 'border="1"', headerAttributes: 'h', rowAttributes: 'r', cellAttributes: 'c' },
        },
      },
      gives: [
        [
          {
            table:
              '<table style=\'border-spacing:0; font-family:helvetica,arial,sans-serif\' border="1"><thead ' +
              "style='margin:0; padding:7px 20px 7px 0px; border-bottom:1px solid #eee; text-align:left; color:#888; " +
              "font-weight:normal' h><tr><th>a</th></tr></thead><tbody><tr  r><td " +
              "style='margin:0; padding:7px 20px 7px " +
              "0px; border-bottom:1px solid #eee' c>null</td></tr></tbody></table>",
          },
        ],
      ],
    },
    {
      it: 'outputs null for a match without the value, and no field without a match',
      versions: [1, 1.1, 1.2],
      run: {
        items: [{ data: '<p>a</p><p id="x"></p>' }],
        parameters: {
          operation: 'extractHtmlContent',
          extractionValues: {
            values: [
              { key: 'ids', cssSelector: 'p', returnValue: 'attribute', attribute: 'id', returnArray: true },
              { key: 'inner', cssSelector: '#x', returnValue: 'html' },
            ],
          },
        },
      },
      gives: [[{ ids: [null, 'x'] }]],
    },
    {
      it: 'reports a field that the item does not have',
      versions: [1, 1.1, 1.2],
      run: {
        items,
        parameters: { operation: 'extractHtmlContent', dataPropertyName: 'gone', ...values({ cssSelector: 'h1' }) },
      },
      fails: 'No property named "gone" exists!',
    },
  ],
};

export const htmlExtractCases: KindCases = {
  kind: 'htmlExtract',
  cases: [
    {
      it: 'extracts values from a page',
      versions: [1],
      run: { items, parameters: values({ cssSelector: 'h1' }) },
      gives: [[{ k: 'Big' }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'outputs an empty string without a match',
      versions: [1],
      run: { items, parameters: values({ cssSelector: 'nope' }) },
      gives: [[{ k: '' }]],
    },
    {
      it: 'reports a field that the item does not have',
      versions: [1],
      run: { items, parameters: { ...values({ cssSelector: 'h1' }), dataPropertyName: 'gone' } },
      fails: 'No property named "gone" exists!',
    },
  ],
};
