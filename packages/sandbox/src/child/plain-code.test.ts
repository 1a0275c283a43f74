import { isPlainCode } from './plain-code';

const isPlain = (body: string): boolean => isPlainCode(`(async function () {${body}\n})`);

const PLAIN = [
  'return $input.all().map(({ json }) => ({ json: { ...json, total: json.qty * 3 } }))',
  'for (const item of $input.all()) { item.json.seen = true; delete item.json.id; item.json.n++ } return $input.all()',
  'const items = $input.all(); items[0].json = { a: 1 }; return items',
  'items[0].json.n = 1; return items',
  'items = items.slice(1); item = items[0]; return item',
  'const { a = 1, ...rest } = $json; return [{ json: { text: `${a}`.padStart(3), rest } }]',
  "return [{ json: { k: $('Make').first().json.k, all: $('Make').all().length } }]",
  'const by = {}; for (const { json } of items) (by[json.kind] ??= []).push(json); return Object.entries(by)',
  'try { JSON.parse($json.text) } catch (error) { console.log(error.message) }',
  'return [new Date(0).toISOString(), structuredClone($json), Object.keys($json), Math.max(1, 2)]',
  'let n = 0; outer: for (;;) { for (let i = 0; i < 3; i++) if (i === 2) break outer; n += 1 } return [n, NaN]',
  'return (await Promise.all([1, 2].map(async (n) => n * 2))).filter(Boolean).map(String)',
  'class Sum { static of(list) { return list.reduce((a, b) => a + b, 0) } } return Sum.of([1])',
  'const data = $getWorkflowStaticData("global"); data.n = (data.n ?? 0) + 1; return [{ json: data }]',
  '$json.list.sort((x, y) => x.k - y.k); [$json.a, $json.b] = [1, 2]; return $json',
];

const OTHER = [
  'return this.helpers',
  'globalThis.a = 1',
  'a = 1',
  '[a] = [1]',
  'for (a of []) ;',
  'return typeof process',
  'return eval("1")',
  'return new Function("return 1")()',
  'return [].constructor',
  'return []["constructor"]',
  'const { constructor } = []',
  'Array.prototype.last = 1',
  'return { __proto__: null }',
  'Object.defineProperty({}, "a", { value: 1 })',
  'console.log = 1',
  'Math["floor"] = 1',
  'const log = console; return 1',
  'return Object.keys.call(Object)',
  'return DateTime.now()',
  'return $now',
  'return Buffer.from("a")',
  'return require("crypto")',
  'await new Promise((done) => setTimeout(done, 1))',
  'return import("fs")',
  'with ({}) { return 1 }',
  'return arguments.length',
  'return helpers',
  'const f = (a = globalThis) => a',
  'const { [globalThis.a]: b } = {}',
  'return 1 }); (async function () { return 2',
  'return (',
];

describe('code that can share its realm', () => {
  it.each(PLAIN)('only computes with its items: %s', (body) => {
    expect(isPlain(body)).toBe(true);
  });

  it.each(OTHER)('does not use anything else: %s', (body) => {
    expect(isPlain(body)).toBe(false);
  });

  it('is not too long to be checked', () => {
    expect(isPlain(`return ${'1 + '.repeat(30_000)}1`)).toBe(false);
  });
});
