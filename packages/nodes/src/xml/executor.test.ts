import type { JsonObject } from '@weft/node-catalogue';
import { outputOf, runKind } from '../testing/cases/run-kind';

const document = '<?xml version="1.0"?><Shop id="7"><Book lang="en"> A &amp; B </Book><Book>C</Book><empty/></Shop>';
const read = async (options: JsonObject = {}, data = document) =>
  (await outputOf('xml', { version: 1, parameters: { options }, items: [{ data, k: 1 }] }))[0];
const write = async (item: JsonObject, options: JsonObject = {}) =>
  (await outputOf('xml', { version: 1, parameters: { mode: 'jsonToxml', options }, items: [item] }))[0];

describe('xml 1: to JSON', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['attributes alongside children', {}, { Shop: { id: '7', Book: [{ _: ' A & B ', lang: 'en' }, 'C'], empty: '' } }],
    [
      'attributes in a separate field',
      { mergeAttrs: false, attrkey: '@', charkey: '#' },
      { Shop: { '@': { id: '7' }, Book: [{ '#': ' A & B ', '@': { lang: 'en' } }, 'C'], empty: '' } },
    ],
    ['no attributes', { ignoreAttrs: true, trim: true }, { Shop: { Book: ['A & B', 'C'], empty: '' } }],
    ['only arrays', { explicitArray: true, ignoreAttrs: true }, { Shop: { Book: [' A & B ', 'C'], empty: [''] } }],
    ['no root', { explicitRoot: false, ignoreAttrs: true, normalize: true }, { Book: ['A & B', 'C'], empty: '' }],
    [
      'names in lower case',
      { normalizeTags: true, ignoreAttrs: true },
      { shop: { book: [' A & B ', 'C'], empty: '' } },
    ],
  ])('outputs %s', async (_what, options, json) => {
    expect(await read(options)).toEqual(json);
  });

  it.each<[string, string, JsonObject?]>([
    ['<a><b></a>', 'cannot be read'],
    ['<a>'.repeat(500) + '</a>'.repeat(500), 'nested deeper'],
    ['<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', 'cannot be read'],
    ['<a><__proto__><polluted>1</polluted></__proto__></a>', '__proto__'],
    [' '.repeat(4_000_001), 'longer than'],
    ['<a/>', 'no root element that could be an item', { explicitRoot: false }],
  ])('rejects %.40s', async (data, message, options = {}) => {
    await expect(read(options, data)).rejects.toThrow(message);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('replaces a failed item by the error if it continues, and preserves item linking', async () => {
    const { items } = await runKind('xml', {
      items: [{}, { data: '<a>1</a>' }],
      node: { onError: 'continueRegularOutput' },
    });
    expect(items[0]).toEqual([
      { json: { error: 'Item has no JSON property called "data"' }, pairedItem: { item: 0 } },
      { json: { a: '1' }, pairedItem: { item: 1 } },
    ]);
  });
});

describe('xml 1: to XML', () => {
  it.each<[string, JsonObject, JsonObject, string]>([
    [
      'one field as the root',
      { a: { b: [1, true], c: 'x < y' } },
      { headless: true },
      '<a>\n  <b>1</b>\n  <b>true</b>\n  <c>x &lt; y</c>\n</a>',
    ],
    [
      'several fields under a root',
      { a: 1, b: null },
      { headless: true, rootName: 'r' },
      '<r>\n  <a>1</a>\n  <b/>\n</r>',
    ],
    [
      'a header and attributes',
      { a: { $: { id: 1 }, _: 't' } },
      {},
      '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<a id="1">t</a>',
    ],
    ['CDATA', { a: 'x < y' }, { headless: true, cdata: true }, '<a><![CDATA[x < y]]></a>'],
  ])('writes %s', async (_what, item, options, data) => {
    expect(await write(item, options)).toEqual({ data });
  });

  it('reports an invalid XML name', async () => {
    await expect(write({ 'a b': { c: 1 } })).rejects.toThrow('cannot be written as XML');
  });
});
