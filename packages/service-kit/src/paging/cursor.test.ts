import fc from 'fast-check';
import { decodeCursor, encodeCursor, pageLimit } from './cursor';

describe('a cursor', () => {
  it('decodes to its id, with the same filters in any order', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (id, a, b) => {
        expect(decodeCursor(encodeCursor(id, { a, b }), { b, a })).toBe(id);
      }),
    );
  });

  it('is refused with other filters, and if it is malformed', () => {
    const cursor = encodeCursor('id', { status: 'error' });
    expect(() => decodeCursor(cursor, { status: 'success' })).toThrow('cursor is invalid');
    for (const broken of ['x', 'v1.', 'v1.e30', 'v2.abc', `v1.${'a'.repeat(400)}`])
      expect(() => decodeCursor(broken)).toThrow('cursor is invalid');
  });

  it('is the first page if empty', () => {
    expect(decodeCursor('')).toBeUndefined();
  });
});

describe('a page size', () => {
  it('defaults to 20 and is at most 100', () => {
    expect([pageLimit(0), pageLimit(1), pageLimit(100)]).toEqual([20, 1, 100]);
    expect(() => pageLimit(101)).toThrow('too large');
  });
});
