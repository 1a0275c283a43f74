import fc from 'fast-check';
import { join } from 'node:path';
import * as browser from './platform/browser';
import * as node from './platform/node';
import type { DigestName } from './platform/platform';
import { bundleForBrowser, functionInBrowser } from './testing/browser-build';
import { outcomesOf, type Case } from './testing/outcome';

const DIGESTS: readonly DigestName[] = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'sha3-512'];

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme', maxLength: 40 }));

describe('the platform of a browser', () => {
  it('gives the digests of Node', () => {
    fc.assert(
      fc.property(fc.constantFrom(...DIGESTS), anyText, (name, text) => {
        expect(browser.digest(name, text)).toBe(node.digest(name, text));
      }),
    );
  });

  it('encodes and decodes Base64 as Node does, whatever the bytes are', () => {
    const encoded = fc.string({ unit: fc.constantFrom(...'AZaz09+/-_') });
    fc.assert(
      fc.property(anyText, encoded, (text, code) => {
        expect(browser.encodeBase64(text)).toBe(node.encodeBase64(text));
        expect(browser.decodeBase64(code)).toBe(node.decodeBase64(code));
      }),
    );
    const long = 'ä'.repeat(100_000);
    expect(browser.encodeBase64(long)).toBe(node.encodeBase64(long));
  });
});

describe('the build for browsers', () => {
  const bundle = bundleForBrowser(join(__dirname, 'testing', 'outcome.js'));

  it('imports no module of Node, and fits into the budget of the worker', () => {
    expect(bundle.imports).toEqual([]);
    expect(bundle.gzipBytes).toBeLessThan(280_000);
    // A bundle without the interpreter would be small.
    expect(bundle.gzipBytes).toBeGreaterThan(100_000);
  });

  it('evaluates in a realm without globals of Node, with the values and errors of Node', () => {
    const run = functionInBrowser(bundle, 'outcomesOf');
    const texts = [
      '={{ $json.name.hash("sha256") }}',
      '={{ $json.name.base64Encode() + "w6TDtg".base64Decode() }}',
      '={{ $now.plus({ days: 1 }).toISO() }} at {{ $today }}',
      '={{ $("Other").all().map((item) => item.json.x ** 2) }}',
      '={{ $jmespath($json, "list[?@ > `1`]") }}',
      '={{ $json.name.replace(/(?<first>\\w)\\w+/g, "$<first>.") }}',
      '={{ new Set($json.list) }}',
      '={{ "2026-02-30".toDateTime() }}',
      '={{ $("Missing").item }}',
      '={{ $json.constructor }}',
      '={{ while (true) {} }}',
      '={{ new URL("https://example.com/?a=1").searchParams.get("a") }}',
      '={{ typeof process.env + typeof Buffer + typeof globalThis.process }}',
    ];
    const options = { items: [{ name: 'Ädam 名', list: [1, 2, 3, 2] }], nodes: { Other: [{ x: 2 }, { x: 3 }] } };
    const cases = JSON.stringify(texts.map((text): Case => ({ text, options })));
    const outcomes: unknown = JSON.parse(run(cases));
    expect(outcomes).toEqual(JSON.parse(outcomesOf(cases)));
    expect(outcomes).toContainEqual('[4,9]');
  });

  it('ends an endless loop when a budget is used up', () => {
    const run = functionInBrowser(bundle, 'outcomesOf');
    const text = '={{ (() => { for (;;) {} })() }}';
    const outcomes: unknown = JSON.parse(run(JSON.stringify([{ text, options: {} } satisfies Case])));
    // A browser has no clock of CPU time: on a busy machine the time ends before the steps.
    const usedUp = /"type":"budget","message":"The expression takes (more|longer) than /;
    expect(outcomes).toEqual([expect.stringMatching(usedUp)]);
  });
});
