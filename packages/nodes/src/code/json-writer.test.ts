import fc from 'fast-check';
import { JsonWriter, listText } from './json-writer';

describe('JSON built in pieces', () => {
  it('equals the output of JSON.stringify within the limit', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 5 }), (values) => {
        const text = JSON.stringify(values);
        expect(listText(values, text.length)).toBe(text);
        expect(listText(values, text.length - 1)).toBeUndefined();
      }),
    );
  });

  it('equals the output of JSON.stringify for any length', () => {
    for (const length of [0, 1, 99, 100, 101, 200, 201]) {
      const values = Array.from({ length }, (_, index) => ({ index }));
      const text = JSON.stringify(values);
      expect(listText(values, text.length)).toBe(text);
      expect(listText(values, text.length - 1)).toBeUndefined();
    }
  });

  it('rejects whatever exceeds the limit', () => {
    const writer = new JsonWriter(5);
    expect([writer.add('abc'), writer.add('def'), writer.add('de'), writer.room]).toEqual([true, false, true, 0]);
    expect(writer.toString()).toBe('abcde');
  });
});
