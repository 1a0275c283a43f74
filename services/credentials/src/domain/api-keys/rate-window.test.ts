import fc from 'fast-check';
import { allowanceOf } from './rate-window';

describe('allowanceOf', () => {
  it('grants exactly the limit, whatever the order and size of requests', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 500 }),
        (counts, limit) => {
          let used = 0;
          let granted = 0;
          for (const count of counts) {
            used += count;
            const allowance = allowanceOf({ minute: 7, used }, count, limit);
            expect(allowance.granted).toBeLessThanOrEqual(count);
            granted += allowance.granted;
            expect(allowance.remaining).toBe(limit - granted);
          }
          expect(granted).toBe(Math.min(limit, used));
        },
      ),
    );
  });

  it('ends with the minute', () => {
    expect(allowanceOf({ minute: 2, used: 1 }, 1, 5).resetAt).toEqual(new Date(180_000));
  });
});
