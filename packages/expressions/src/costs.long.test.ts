import { LIMITS } from './limits';
import { allCalls, excessesAt } from './testing/costs';

const LIMIT_MS = 200;

describe('every method and global function', () => {
  it(`takes at most ${LIMIT_MS} ms on the worst strings of the greatest length`, () => {
    expect(excessesAt(LIMITS.textLength - 16, LIMIT_MS, allCalls())).toEqual([]);
  });
});
