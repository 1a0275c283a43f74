import { compareTyped } from './typed-conditions';

describe('compareTyped', () => {
  it.each<[string, unknown, unknown, boolean]>([
    ['equal', 1, 1, true],
    ['equal', 1, '1', false],
    ['notEqual', 'a', 'b', true],
    ['larger', 2, 1, true],
    ['larger', undefined, -1, true],
    ['largerEqual', 1, 1, true],
    ['smaller', 1, 2, true],
    ['smallerEqual', 2, 1, false],
    ['after', 20, 10, true],
    ['before', 20, 10, false],
    ['contains', 'abc', 'b', true],
    ['contains', null, '', true],
    ['notContains', 'abc', 'x', true],
    ['startsWith', 'abc', 'a', true],
    ['notStartsWith', 'abc', 'a', false],
    ['endsWith', 'abc', 'c', true],
    ['notEndsWith', 'abc', 'b', true],
    ['regex', 'order 17', '\\d+', true],
    ['regex', 'ABC', '/b/i', true],
    ['regex', 'ABC', 'b', false],
    ['notRegex', 'abc', '^b', true],
    ['isEmpty', '', undefined, true],
    ['isEmpty', null, undefined, true],
    ['isEmpty', [], undefined, true],
    ['isEmpty', {}, undefined, true],
    ['isEmpty', NaN, undefined, true],
    ['isEmpty', 0, undefined, false],
    ['isNotEmpty', [0], undefined, true],
    ['unheardOf', 1, 1, false],
  ])('%s of %j and %j is %s', (operation, value1, value2, expected) => {
    expect(compareTyped(operation, value1, value2)).toBe(expected);
  });
});
