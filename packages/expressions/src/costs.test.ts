import { allCalls, excessesAt } from './testing/costs';

/** Long enough to show what grows faster than the string. All calls, on the longest strings, are in the long tests. */
const LENGTH = 50_000;
const LIMIT_MS = 150;

describe('every method of strings and every global function', () => {
  it('takes little time for each character of the worst strings', () => {
    const calls = allCalls().filter(({ name }) => /^string\.|^[A-Z$]/.test(name));
    expect(excessesAt(LENGTH, LIMIT_MS, calls)).toEqual([]);
  });
});
