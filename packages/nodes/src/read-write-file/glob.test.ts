import { parseGlob } from './glob';

const found = (pattern: string, paths: readonly string[], brackets: 'literal' | 'syntax' = 'syntax'): string[] => {
  const { matches } = parseGlob(pattern, brackets);
  return paths.filter(matches);
};

describe('a pattern for paths', () => {
  it.each([
    ['a.txt', ['a.txt'], ['b.txt', 'x/a.txt', 'a.txt2', 'a_txt']],
    ['*.txt', ['a.txt', 'ab.txt'], ['.txt', '.a.txt', 'x/a.txt']],
    ['x/*', ['x/a', 'x/a.txt'], ['x', 'x/y/a', 'x/.a']],
    ['x/.*', ['x/.a'], ['x/a']],
    ['a?c', ['abc', 'a.c'], ['ac', 'a/c', 'abbc']],
    ['**/*.txt', ['a.txt', 'x/a.txt', 'x/y/a.txt'], ['x/a.csv', '.x/a.txt', 'x/.y/a.txt']],
    ['x/**', ['x/a', 'x/y/a'], ['x', 'y/a', 'x/.a', 'x/y/.a']],
    ['**', ['a', 'x/y/a'], ['.a', 'x/.a']],
    ['x/**/a', ['x/a', 'x/y/a', 'x/y/z/a'], ['x/ya', 'xa']],
    ['a**b', ['ab', 'axxb'], ['a/b']],
    ['{a,b*}.txt', ['a.txt', 'bcd.txt'], ['c.txt', '{a,b*}.txt']],
    ['x{,y{1,2}}', ['x', 'xy1', 'xy2'], ['xy', 'xy3']],
    ['{a}', ['{a}'], ['a']],
    ['{a', ['{a'], ['a']],
    ['[a-c][!x]', ['ay', 'c1'], ['ax', 'dy', 'a', 'a/']],
    ['(a|bb)c', ['ac', 'bbc'], ['c', '(a|bb)c']],
    ['a\\*b', ['a*b'], ['axb', 'a/b']],
    ['a\\b', ['a/b'], ['a\\b']],
  ])('%s matches %j and not %j', (pattern, matching, others) => {
    expect(found(pattern, [...matching, ...others])).toEqual(matching);
  });

  it.each(['x[1].txt', 'x(a|b)', 'a@(b)'])('%s is a name where brackets are literal', (name) => {
    expect(found(name, [name, 'x1.txt', 'xa', 'ab'], 'literal')).toEqual([name]);
  });

  it('examines each character once, however many stars the pattern has', () => {
    const { matches } = parseGlob(`${'*a'.repeat(200)}*b`, 'syntax');
    expect(matches('a'.repeat(500))).toBe(false);
    expect(matches(`${'a'.repeat(498)}b`)).toBe(true);
  });

  it.each([
    ['{'.repeat(200), 'nests more than'],
    ['{a,b}'.repeat(20), 'too many alternatives'],
    [`{${'aaaaaaaaaa,'.repeat(101)}}`, 'too many alternatives'],
    ['{1..3}', 'Ranges'],
    ['!(a)', 'not supported'],
  ])('%s is rejected', (pattern, message) => {
    expect(() => parseGlob(pattern, 'syntax')).toThrow(message);
  });
});
