import { createShares } from './shares';

describe('a budget in shares', () => {
  it('gives one owner its share and no more, and leaves the rest to others', () => {
    const { take } = createShares(10, 4);
    expect([take('a', 3), take('a', 2), take('a', 1)]).toEqual([true, false, true]);
    expect([take('b', 4), take('c', 3), take('c', 2)]).toEqual([true, false, true]);
    expect(take('d', 1)).toBe(false);
  });

  it('takes back what it gave', () => {
    const { take, give, taken } = createShares(4, 4);
    take('a', 4);
    give('a', 4);
    expect([taken(), take('b', 4)]).toEqual([0, true]);
  });
});
