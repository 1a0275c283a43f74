import fc from 'fast-check';
import { decodeCursor, encodeCursor, pageLimit } from './cursor';

describe('a cursor', () => {
  it('gives back the id it was made from, for the same filters in any order', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (id, a, b) => {
        expect(decodeCursor(encodeCursor(id, { a, b }), { b, a })).toBe(id);
      }),
    );
  });

  it('is refused with other filters, and when it is not one of ours', () => {
    const cursor = encodeCursor('id', { status: 'error' });
    expect(() => decodeCursor(cursor, { status: 'success' })).toThrow('cannot be used');
    for (const broken of ['x', 'v1.', 'v1.e30', 'v2.abc', `v1.${'a'.repeat(400)}`])
      expect(() => decodeCursor(broken)).toThrow('cannot be used');
  });

  it('means the first page when empty', () => {
    expect(decodeCursor('')).toBeUndefined();
  });
});

describe('a page size', () => {
  it('is 20 unless asked for, and at most 100', () => {
    expect([pageLimit(0), pageLimit(1), pageLimit(100)]).toEqual([20, 1, 100]);
    expect(() => pageLimit(101)).toThrow('too large');
  });
});
