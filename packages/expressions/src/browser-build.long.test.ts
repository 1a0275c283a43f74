import fc from 'fast-check';
import { join } from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '@weft/service-kit/json-values';
import { bundleForBrowser, functionInBrowser } from './testing/browser-build';
import { corpusFiles, hasCorpus } from './testing/corpus';
import { outcomesOf, type Case } from './testing/outcome';
import { expressionText } from './testing/programs';

const inBrowser = functionInBrowser(bundleForBrowser(join(__dirname, 'testing', 'outcome.js')), 'outcomesOf');

/** Expressions whose value is a moment, a random number or the host's. */
const DIFFERS = /random|Date\.now|new Date\(\)|Date\(\)|randomUUID|process/;

const differences = (cases: readonly Case[]): unknown[] => {
  const text = JSON.stringify(cases);
  const [mine, theirs]: string[][] = [JSON.parse(outcomesOf(text)), JSON.parse(inBrowser(text))];
  expect(theirs?.length).toBe(cases.length);
  return cases.flatMap(({ text: expression }, index) => {
    const [node, browser] = [mine?.[index], theirs?.[index]];
    return node === browser ? [] : [{ expression, node, browser }];
  });
};

/** Every string of a JSON value that is an expression. */
const expressionsIn = (value: Json): string[] => {
  if (typeof value === 'string') return value.startsWith('=') ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(expressionsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(expressionsIn) : [];
};

const inputOf = (value: Json | undefined): JsonObject[] =>
  (Array.isArray(value) ? value : []).map((item) => {
    const json = isJsonObject(item) && isJsonObject(item['json']) ? item['json'] : item;
    return isJsonObject(json) ? json : {};
  });

describe('the build for browsers', () => {
  it('gives the values and errors of Node for 20,000 generated expressions', () => {
    const options = {
      items: [{ a: 1, b: 'Hello', c: [1, 2, { deep: 'x' }], list: [3, 1, 2], name: 'ä€😀', deep: { a: {} } }],
    };
    const bodies = fc.sample(expressionText, { numRuns: 20_000, seed: 1 });
    expect(differences(bodies.map((body) => ({ text: `={{ ${body} }}`, options })))).toEqual([]);
  }, 600_000);
});

(hasCorpus ? describe : describe.skip)('the build for browsers, for the corpus', () => {
  it('gives the values and errors of Node for all rows with an expression', () => {
    const rows = corpusFiles('n8n-expressions/open', '.jsonl').flatMap(({ text }) =>
      text
        .split('\n')
        .filter((line) => line !== '')
        .map((line): JsonObject => JSON.parse(line)),
    );
    const table = corpusFiles('n8n-expressions/open', 'expressions.tsv').flatMap(({ text }) =>
      text
        .trim()
        .split('\n')
        .slice(1)
        .map((line): JsonObject => {
          const [, expression = 'null', input = '[]'] = line.split('\t');
          return { expression: JSON.parse(expression), input: JSON.parse(input) };
        }),
    );
    const cases = [...rows, ...table].flatMap(({ expression, input }): Case[] =>
      typeof expression === 'string' && !DIFFERS.test(expression)
        ? [{ text: expression, options: { items: inputOf(input) } }]
        : [],
    );
    expect(cases.length).toBeGreaterThan(500);
    expect(differences(cases)).toEqual([]);
  });

  it('gives the values and errors of Node for all expressions of workflows', () => {
    const texts = ['real-workflows', 'n8n-node-tests'].flatMap((folder) =>
      corpusFiles(folder, '.json').flatMap(({ text }) => expressionsIn(JSON.parse(text))),
    );
    const cases = [...new Set(texts)]
      .filter((text) => !DIFFERS.test(text))
      .map((text): Case => ({ text, options: { items: [{ id: 1, name: 'a' }] } }));
    expect(cases.length).toBeGreaterThan(1_000);
    expect(differences(cases)).toEqual([]);
  }, 600_000);
});
