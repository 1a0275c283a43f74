import fc from 'fast-check';
import { LIMITS } from '../limits';
import { Run } from '../runtime/run';
import { fixedScope } from '../testing/fixed-scope';
import { findMatch } from './find-match';
import { readPattern } from './pattern';
import { RegexValue } from './regex-value';

const atom = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'c',
    '.',
    '\\d',
    '\\w',
    '\\s',
    '[abc]',
    '[^a]',
    '[a-c1]',
    '\\.',
    'é',
    '[^\\w]',
    '\\S',
    '\\D',
    '\\x61',
    '\\u0062',
    '[\\s\\d]',
    '\\t',
    '[]',
    '[^]',
  ),
  fc.constantFrom('^', '$', '\\b', '\\B'),
);
const pattern: fc.Arbitrary<string> = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    atom,
    fc.tuple(tie('node'), tie('node')).map((parts) => parts.join('')),
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => `(?:${a}|${b})`),
    tie('node').map((inner) => `(${inner})`),
    fc
      .tuple(tie('node'), fc.constantFrom('*', '+', '?', '*?', '+?', '{2}', '{1,3}', '{2,}'))
      .map(([inner, count]) => `(?:${inner})${count}`),
  ),
})).node;
const text = fc
  .array(fc.constantFrom('a', 'b', 'c', '1', ' ', '.', 'é', '\n', 'A', '-', 'x', '\u00a0'), { maxLength: 14 })
  .map((parts) => parts.join(''));

describe('the linear engine', () => {
  it('finds what JavaScript finds in every pattern it accepts', () => {
    let taken = 0;
    fc.assert(
      fc.property(pattern, fc.constantFrom('', 'i', 's', 'm', 'im'), text, (source, flags, subject) => {
        const { linear, native } = readPattern(source, flags);
        if (linear === undefined) return;
        taken += 1;
        native.lastIndex = 0;
        const expected = native.exec(subject);
        const matcher = linear.matcher(subject);
        const found = matcher.find(0)
          ? Array.from({ length: linear.groupCount() + 1 }, (_, group) => matcher.group(group) ?? undefined)
          : null;
        expect([source, found, found === null ? -1 : matcher.start()]).toEqual([
          source,
          expected === null ? null : [...expected],
          expected?.index ?? -1,
        ]);
      }),
      { numRuns: 3_000 },
    );
    expect(taken).toBeGreaterThan(1_000);
  });

  it.each([
    '(?=a)',
    '(?!a)',
    '(?<=a)b',
    '(?<!a)b',
    '(a)\\1',
    '(?<x>a)\\k<x>',
    '(?:(a)|b)*',
    '(a*)*',
    '(?:a(b)?)+',
    '\\ud83d',
  ])('does not accept %s', (source) => {
    expect(readPattern(source, '').linear).toBeUndefined();
  });
});

describe("JavaScript's own engine", () => {
  it.each([
    ['\\s+', 'g'],
    ['[^a-z0-9]', 'gi'],
    ['foo|bar', 'g'],
    ['^\\d{4}-\\d{2}$', ''],
  ])('accepts /%s/%s at any length', (source, flags) => {
    expect(readPattern(source, flags).nativeUpTo).toBeGreaterThan(LIMITS.textLength);
  });

  it.each([
    '(a+)+$',
    '(a|a)*b',
    '(a|ab|b)*c',
    '(.*a){12}',
    '(?:x+x+)+y',
    '(\\w+\\s?)*$',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(?=(a+)+b)',
    '(a*)*\\1',
    '(a|a?)+$',
  ])('does not accept /%s/ at lengths where it might not end', (source) => {
    expect(readPattern(source, '').nativeUpTo).toBeLessThan(3_000);
  });

  it('is quick at every length at which it accepts a pattern', () => {
    // Texts made to fail late; a wrong bound would show as a search that does not end.
    for (const source of [
      '(a+)+$',
      '(a|a)*b',
      '(a|ab|b)*c',
      '(?:x+x+)+y',
      '(\\w+\\s?)*$',
      'a*a*a*a*b',
      '(?=a*a*b)a',
      '(a?){20}a{20}$',
    ]) {
      const { native, nativeUpTo } = readPattern(source, '');
      for (const letter of ['a', 'x', 'ab']) {
        native.lastIndex = 0;
        const subject = `${letter.repeat(nativeUpTo).slice(0, Math.max(0, nativeUpTo - 1))}!`;
        const cpu = process.cpuUsage();
        native.test(subject);
        expect([source, process.cpuUsage(cpu).user < 5_000_000]).toEqual([source, true]);
      }
    }
  });
});

describe('a search', () => {
  const find = (source: string, subject: string) =>
    findMatch(new Run(fixedScope(), 'plain'), new RegexValue(readPattern(source, '')), subject, 0);

  it('uses the linear engine if the other one might not end', () => {
    expect(find('(a+)+$', `${'a'.repeat(50_000)}b`)).toBeUndefined();
    expect(find('(?<word>b+)(a+)+$', `${'a'.repeat(50_000)}bba`)).toMatchObject({
      index: 50_000,
      groups: ['bba', 'bb', 'a'],
      named: { word: 'bb' },
    });
  });

  it('is refused if no engine is sure to end', () => {
    expect(() => find('(?=(a+)+b)', 'a'.repeat(50_000))).toThrow('may take too long on a string of this length');
  });

  it.each(['(', '[z-a]', 'a{2,1}', '(?<a>x)(?<a>y)', '\\k<a>(?<b>x)'])(
    'is refused for /%s/, which is not a pattern',
    (source) => {
      expect(() => readPattern(source, 'u')).toThrow();
    },
  );
});
