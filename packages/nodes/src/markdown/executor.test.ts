import type { JsonObject } from '@weft/node-catalogue';
import { outputOf, runKind } from '../testing/cases/run-kind';

const given = (parameters: JsonObject, item: JsonObject = {}) =>
  outputOf('markdown', { version: 1, parameters, items: [item] });
const toHtml = async (markdown: string, options: JsonObject = {}) =>
  (await given({ mode: 'markdownToHtml', markdown, options }))[0];

describe('markdown 1: from HTML', () => {
  it('preserves headings, emphasis, links, lists and code', async () => {
    const html =
      '<h2>Hi</h2><p>a <b>bold</b> <i>word</i> and <a ' +
      'href="https://x.example/">link</a></p><ul><li>1</li><li>2</li></ul><pre><code>x = 1</code></pre>';
    expect(await given({ html })).toEqual([
      { data: '## Hi\n\na **bold** _word_ and [link](https://x.example/)\n\n* 1\n* 2\n\n```\nx = 1\n```' },
    ]);
  });

  it('follows the options', async () => {
    const options = {
      bulletMarker: '-',
      strongDelimiter: '__',
      emDelimiter: '*',
      ignore: 'script, noscript',
      codeBlockStyle: 'indented',
    };
    expect(
      await given(
        { html: '<script>no</script><ul><li><b>a</b> <em>b</em></li></ul>', options, destinationKey: 'out.text' },
        { k: 1 },
      ),
    ).toEqual([{ k: 1, out: { text: '- __a__ *b*' } }]);
  });

  it('rejects HTML that is too long or too deeply nested, as an error item if it continues', async () => {
    await expect(given({ html: '={{ $json.h }}' }, { h: '<div>'.repeat(501) })).rejects.toThrow(
      'deeper than 500 levels',
    );
    await expect(given({ html: '={{ $json.h }}' }, { h: 'a'.repeat(250_001) })).rejects.toThrow('longer than 250000');
    expect(await given({ html: 'a<!-- b -->c<!-- d' })).toEqual([{ data: 'ac' }]);
    const { items } = await runKind('markdown', {
      items: [{ h: ' '.repeat(1_000_001) }],
      parameters: { html: '={{ $json.h }}' },
      node: { onError: 'continueRegularOutput' },
    });
    expect(items[0]).toEqual([
      { json: { error: 'The text is longer than 1000000 characters.' }, pairedItem: { item: 0 } },
    ]);
  });
});

describe('markdown 1: to HTML', () => {
  it.each<[string, string, JsonObject, string]>([
    [
      'headings with ids',
      '# Big News\n\n# Big News',
      {},
      '<h1 id="bignews">Big News</h1>\n<h1 id="bignews-1">Big News</h1>',
    ],
    ['headings without ids', '## A', { noHeaderId: true }, '<h2>A</h2>'],
    [
      'headings from a given level on',
      '# A b',
      { headerLevelStart: 3, ghCompatibleHeaderId: true, prefixHeaderId: 'x-' },
      '<h3 id="x-a-b">A b</h3>',
    ],
    ['emphasis and HTML', '**a** <u>b</u>', {}, '<p><strong>a</strong> <u>b</u></p>'],
    ['lists', '- a\n- b', {}, '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
    ['code', '```js\na < b\n```', {}, '<pre><code class="js language-js">a &lt; b\n</code></pre>'],
    [
      'links in a new window',
      '[a](https://x.example)',
      { openLinksInNewWindow: true },
      '<p><a href="https://x.example" rel="noopener noreferrer" target="_blank">a</a></p>',
    ],
    ['line breaks', 'a\nb', { simpleLineBreaks: true }, '<p>a<br />\nb</p>'],
    ['strikethrough if configured', '~~a~~', { strikethrough: true }, '<p><del>a</del></p>'],
    ['images and rules', '![a](b.png)\n\n---', {}, '<p><img src="b.png" alt="a" /></p>\n<hr />'],
    ['no strikethrough by default', '~~a~~', {}, '<p>~~a~~</p>'],
    ['no tables by default', '|a|\n|-|\n|1|', {}, '<p>|a|\n|-|\n|1|</p>'],
    [
      'a whole document',
      'a',
      { completeHTMLDocument: true },
      '<!DOCTYPE HTML>\n<html>\n<head>\n<meta charset="utf-8">\n</head>\n<body>\n<p>a</p>\n</body>\n</html>',
    ],
  ])('generates %s', async (_what, markdown, options, data) => {
    expect(await toHtml(markdown, options)).toEqual({ data });
  });

  it('generates tables if configured', async () => {
    expect(await toHtml('|a|b|\n|---|---|\n|1|2|', { tables: true })).toEqual({
      data: expect.stringMatching(/^<table>[^]*<th>a<\/th>[^]*<td>1<\/td>[^]*<\/table>$/),
    });
  });
});
