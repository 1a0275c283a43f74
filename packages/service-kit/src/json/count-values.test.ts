import fc from 'fast-check';
import { hasMoreValues } from './count-values';

/** The result, and the number of yields to other work. */
const asked = (text: string, maxValues: number): readonly [boolean, number] => {
  const parts = hasMoreValues(Buffer.from(text), maxValues);
  let yielded = 0;
  let part = parts.next();
  for (; part.done !== true; part = parts.next()) yielded += 1;
  return [part.value, yielded];
};

/** Values and keys, counted naively; an empty list or object counts as two. */
const countOf = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 1;
  const inner = Object.values(value);
  const own = Array.isArray(value) ? 1 : 1 + inner.length;
  return inner.length === 0 ? 2 : inner.reduce((sum: number, each) => sum + countOf(each), own);
};

describe('the count of the values of a JSON text', () => {
  it('is exact, whatever strings and keys contain', () => {
    const texts = fc.string({ unit: fc.constantFrom('[', '{', ',', ':', '"', '\\', 'a', '\n', 'é') });
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        texts,
        fc.nat(),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(texts, tie('value'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1), (json, space) => {
        const text = JSON.stringify(json, undefined, space);
        const count = countOf(json);
        expect(asked(text, count)[0]).toBe(false);
        expect(asked(text, count - 1)[0]).toBe(true);
      }),
    );
  });

  it('yields after each mebibyte, and scans only once if the upper bound suffices', () => {
    const text = JSON.stringify(['x,'.repeat(1_500_000)]);
    expect(asked(text, 2_000_000)).toEqual([false, 2]);
    expect(asked(text, 1_000)).toEqual([false, 4]);
  });

  it.each([-3, -2, -1, 0, 1])('continues across a part boundary, with an escape %i bytes from it', (at) => {
    const text = JSON.stringify([`${'x'.repeat(1024 * 1024 + at - '["'.length)}"${'['.repeat(200)}`]);
    expect(asked(text, 2)[0]).toBe(false);
    expect(asked(text, 1)[0]).toBe(true);
  });
});
