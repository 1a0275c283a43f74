import fc from 'fast-check';
import { fixedScope } from '../testing/fixed-scope';
import { findLastText, findText } from './find-text';
import { Run } from './run';

const run = (): Run => new Run(fixedScope(), 'plain');

describe('searching for a long string', () => {
  const part = fc.string({ unit: fc.constantFrom('a', 'a', 'b'), minLength: 1, maxLength: 5 });

  it('finds what the engine finds', () => {
    fc.assert(
      fc.property(
        part,
        part,
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: -5, max: 900 }),
        (one, other, times, from) => {
          const sought = one.repeat(210) + other;
          const text = `${other}${one.repeat(times)}${sought}${one.repeat(250)}${sought}${one}`;
          expect(findText(run(), text, sought, from)).toBe(text.indexOf(sought, from));
          expect(findText(run(), text, `${sought}c`, from)).toBe(-1);
          expect(findLastText(run(), text, sought, from)).toBe(text.lastIndexOf(sought, from));
          expect(findLastText(run(), text, sought)).toBe(text.lastIndexOf(sought));
        },
      ),
      { numRuns: 500 },
    );
  });
});
