import { globalCompletions, memberCompletions, rootCompletions } from './completions';
import { bodyValue } from './testing/fixed-scope';

describe('completions', () => {
  it('are roots and functions that expressions can use', () => {
    expect(rootCompletions()).toEqual(expect.arrayContaining(['$', '$json', '$input', '$now']));
    expect(globalCompletions()).toEqual(expect.arrayContaining(['Math.max', 'Object.keys']));
  });

  it.each<[string, unknown, string]>([
    ['"a"', 'a', 'toTitleCase'],
    ['[1]', [1], 'last'],
    ['7', 7, 'round'],
    ['$now', bodyValue('$now'), 'plus'],
    ['({ a: 1 })', { a: 1 }, 'isEmpty'],
  ])('of a value are methods that it has: %s', (body, value, method) => {
    expect(memberCompletions(value)).toContainEqual({ name: method, kind: 'method' });
    expect(bodyValue(`typeof (${body}).${method}()`)).not.toBe(undefined);
  });

  it('begin with own fields, and contain no name that is refused', () => {
    const value: unknown = JSON.parse('{"b": 1, "a": 2, "constructor": 3, "isEmpty": 4}');
    const names = memberCompletions(value);
    expect(names.slice(0, 3)).toEqual(['b', 'a', 'isEmpty'].map((name) => ({ name, kind: 'field' })));
    expect(names.map(({ name }) => name)).not.toContain('constructor');
    expect(names.filter(({ name }) => name === 'isEmpty')).toHaveLength(1);
    expect(memberCompletions(undefined).every(({ kind }) => kind === 'method')).toBe(true);
  });
});
