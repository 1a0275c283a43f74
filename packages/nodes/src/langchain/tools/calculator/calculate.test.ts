import { calculate } from './calculate';

describe('a formula', () => {
  it.each([
    ['2 + 3 * 4', 14],
    ['(2 + 3) * 4', 20],
    ['2 ^ 3 ^ 2', 512],
    ['-2 ^ 2', -4],
    ['2 ** -1', 0.5],
    ['10 % 4 - -1', 3],
    ['5!', 120],
    ['sqrt(16) + ABS(-2)', 6],
    ['max(1, 2.5, 2) + min(3, 4)', 5.5],
    ['round(2.345, 2)', 2.35],
    ['1.5e3 / .5', 3000],
    ['2 * PI', 2 * Math.PI],
    ['1 / 0', Infinity],
  ])('%s is %d', (formula, value) => {
    expect(calculate(formula)).toBeCloseTo(value, 10);
  });

  it.each([
    ['', 'is empty'],
    ['2 +', 'ends too early'],
    ['(2', 'parenthesis is missing'],
    ['2 3', '"3" is not expected'],
    ['process.exit()', 'cannot be read'],
    ['constructor', '"constructor" is not expected'],
    ['constructor(1)', 'no function "constructor"'],
    ['={{ 1 }}', 'cannot be read'],
    ['sqrt(-1)', 'not a number'],
    ['171!', 'from 0 to 170'],
    ['round(1, 99)', '0 to 15 digits'],
    ['sqrt(1, 2)', 'cannot be called with 2 arguments'],
    [`${'('.repeat(500)}1`, 'more than 100 levels'],
    ['1+'.repeat(2_000), 'longer than 2000'],
  ])('%j is refused with a sentence', (formula, message) => {
    expect(() => calculate(formula)).toThrow(message);
  });
});
