import { parseLooseJson } from './loose-json';

describe('parseLooseJson', () => {
  it.each<[string, unknown]>([
    ['{"a": [1, null, true]}', { a: [1, null, true] }],
    ['7', 7],
    ['"x"', 'x'],
    ['{a: 1}', { a: 1 }],
    ["{'a': 'b', \"c\": -1, 3: +2}", { a: 'b', c: -1, 3: 2 }],
    ['[1, 2,]', [1, 2]],
    ['{ a: { b: [ {} ] }, }', { a: { b: [{}] } }],
  ])('reads %s', (text, value) => {
    expect(parseLooseJson(text)).toEqual(value);
  });

  it.each([
    '',
    'abc',
    '{',
    '{a}',
    '{a: b}',
    '{a: 1,, b: 2}',
    '{a: f()}',
    '{get a() { return 1 }}',
    '{[a]: 1}',
    '{...a}',
    '[,1]',
    '{a: 1} + 1',
    '{a: `x`}',
    '{a: /x/}',
    '{"__proto__": {}, a: 1,}',
    '{a: 1n}',
  ])('does not parse %s', (text) => {
    expect(parseLooseJson(text)).toBeUndefined();
  });

  it('stays within its limits', () => {
    expect(parseLooseJson(`${'['.repeat(50_000)}a`)).toBeUndefined();
    expect(parseLooseJson(`{a: "${'x'.repeat(2_000_000)}"}`)).toBeUndefined();
  });
});
