import { isWorthShowing } from './show-logs';

describe('isWorthShowing', () => {
  it.each([
    ['{"level":30,"msg":"ready"}', false],
    ['{"level":40,"msg":"slow"}', false],
    ['{"level":50,"msg":"failed"}', true],
    ['{"level":60,"msg":"dead"}', true],
    ['Error: at some place', true],
    ['{"broken', true],
    ['"text"', true],
  ])('of %s is %p', (line, expected) => {
    expect(isWorthShowing(line)).toBe(expected);
  });
});
