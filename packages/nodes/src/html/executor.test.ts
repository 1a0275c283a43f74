import type { JsonObject } from '@weft/node-catalogue';
import { memoryFiles } from '@weft/engine/testing';
import { outputOf, runKind } from '../testing/cases/run-kind';

const page =
  '<html><body><h1> Big \n news </h1><ul><li class="a">One <a ' +
  'href="/1">first</a></li><li>Two</li></ul><input id="i" value="v"></body></html>';
const extraction = (...values: JsonObject[]): JsonObject => ({
  operation: 'extractHtmlContent',
  extractionValues: { values },
});
const given = (version: number, parameters: JsonObject, items: JsonObject[] = [{ data: page }]) =>
  outputOf('html', { version, parameters, items });

describe('html: values from a page', () => {
  it.each<[number, string, JsonObject, JsonObject]>([
    [1, 'text of all matches', { cssSelector: 'li' }, { k: 'One firstTwo' }],
    [1.1, 'text of all matches', { cssSelector: 'li' }, { k: 'One firstTwo' }],
    [1.2, 'text as a browser shows it', { cssSelector: 'body' }, { k: 'BIG NEWS\n\n * One first [/1]\n * Two' }],
    [1.2, 'text without skipped elements', { cssSelector: 'body', skipSelectors: 'h1, a' }, { k: ' * One\n * Two' }],
    [1.2, 'an attribute', { cssSelector: 'a', returnValue: 'attribute', attribute: 'href' }, { k: '/1' }],
    [1.2, 'all attributes', { cssSelector: 'li', returnValue: 'attribute' }, { k: { class: 'a' } }],
    [1.2, 'inner HTML', { cssSelector: '.a', returnValue: 'html' }, { k: 'One <a href="/1">first</a>' }],
    [1.2, 'the value of an input', { cssSelector: '#i', returnValue: 'value' }, { k: 'v' }],
    [1.2, 'an array', { cssSelector: 'li', returnArray: true }, { k: ['One first [/1]', 'Two'] }],
    [1.2, 'nothing for a missing attribute', { cssSelector: 'b', returnValue: 'attribute', attribute: 'x' }, {}],
  ])('%s extracts %s', async (version, _what, value, result) => {
    expect(await given(version, extraction({ key: 'k', ...value }))).toEqual([result]);
  });

  it.each(['html', 'htmlExtract'])('%s reads pages from files', async (kind) => {
    const files = memoryFiles();
    const file = await files.store(Buffer.from(`\ufeff${page}`), { mimeType: 'text/html', fileName: 'page.html' });
    const parameters = {
      ...extraction({ key: 'k', cssSelector: 'h1' }),
      sourceData: 'binary',
      dataPropertyName: 'page',
      options: { cleanUpText: true },
    };
    const run = { parameters, files, binary: { page: file } };
    expect(await outputOf(kind, { ...run, version: 1 })).toEqual([{ k: 'Big news' }]);
    await expect(
      outputOf(kind, { ...run, version: 1, parameters: { ...parameters, dataPropertyName: 'other' } }),
    ).rejects.toThrow("contain a binary file 'other', but none was found");
  });

  it('trims and cleans up if configured', async () => {
    const heading = extraction({ key: 'k', cssSelector: 'h1' });
    expect(await given(1, heading)).toEqual([{ k: ' Big \n news ' }]);
    expect(await given(1, { ...heading, options: { trimValues: true } })).toEqual([{ k: 'Big \n news' }]);
    expect(await given(1, { ...heading, options: { cleanUpText: true } })).toEqual([{ k: 'Big news' }]);
  });

  it('reads an array of pages in a field at any depth, with an item for each', async () => {
    const parameters = { ...extraction({ key: 'k', cssSelector: 'p' }), dataPropertyName: 'a.b' };
    expect(await given(1.2, parameters, [{ a: { b: ['<p>1</p>', '<p>2</p>'] } }])).toEqual([{ k: '1' }, { k: '2' }]);
  });

  it('replaces items by errors if it continues', async () => {
    const run = (value: JsonObject, item: JsonObject) =>
      runKind('html', {
        version: 1.2,
        parameters: extraction({ key: 'k', ...value }),
        items: [item],
        node: { onError: 'continueRegularOutput' },
      });
    expect((await run({ cssSelector: 'p' }, {})).items[0]).toEqual([
      { json: { error: 'No property named "data" exists!' }, pairedItem: { item: 0 } },
    ]);
    expect((await run({ cssSelector: 'p[' }, { data: page })).outputs[0]).toEqual([
      { error: expect.stringContaining('"p[" cannot be used') },
    ]);
  });

  it('limits pages, and selectors that compare elements with each other', async () => {
    const many = [{ data: '<p></p>'.repeat(20_000) }];
    await expect(given(1.2, extraction({ key: 'k', cssSelector: 'p:nth-child(2)' }), many)).rejects.toThrow(
      'too large for the selector',
    );
    expect(await given(1.2, extraction({ key: 'k', cssSelector: 'p' }), many)).toEqual([{ k: '' }]);
    await expect(given(1.2, extraction(), [{ data: '<div>'.repeat(501) }])).rejects.toThrow('nested deeper');
    await expect(given(1.2, extraction(), [{ data: ' '.repeat(4_000_001) }])).rejects.toThrow('longer than');
  });
});

describe('html: templates and tables', () => {
  it('resolves expressions of a template that does not begin with =', async () => {
    const { items } = await runKind('html', {
      version: 1.2,
      parameters: { html: '<p>{{ $json.n }} {{ $itemIndex }}</p>' },
      items: [{ n: 'a' }, { n: 'b' }],
    });
    expect(items[0]).toEqual([
      { json: { html: '<p>a 0</p>' }, pairedItem: { item: 0 } },
      { json: { html: '<p>b 1</p>' }, pairedItem: { item: 1 } },
    ]);
  });

  it('creates one table from all items', async () => {
    const parameters = {
      operation: 'convertToHtmlTable',
      options: { customStyling: true, capitalize: true, caption: 'C', rowAttributes: 'class="r"' },
    };
    const { items } = await runKind('html', {
      version: 1.2,
      parameters,
      items: [{ full_name: 'A', ok: true }, { x: { y: 1 } }],
    });
    expect(items[0]).toEqual([
      {
        json: {
          table:
            '<table  ><caption>C</caption><thead  ><tr><th>Full Name</th><th>Ok</th><th>X</th></tr></thead><tbody>' +
            '<tr  class="r"><td  >A</td><td  ><input type="checkbox" checked="checked"/></td>' +
            '<td  >undefined</td></tr>' +
            '<tr  class="r"><td  >undefined</td><td  >undefined</td><td  >[object Object]</td></tr></tbody></table>',
        },
        pairedItem: [{ item: 0 }, { item: 1 }],
      },
    ]);
  });
});

describe('htmlExtract', () => {
  it('extracts values from a page, and trims them', async () => {
    const parameters = {
      dataPropertyName: 'data',
      extractionValues: {
        values: [
          { key: 'k', cssSelector: 'li' },
          { key: 'h', cssSelector: 'h1' },
        ],
      },
    };
    expect(await outputOf('htmlExtract', { version: 1, parameters, items: [{ data: page }] })).toEqual([
      { k: 'One firstTwo', h: 'Big \n news' },
    ]);
  });
});
