import { parseJsonText, parseLongJsonText } from './parse-json-text';

describe('the JSON of a response', () => {
  it('is parsed without keys that could become a prototype, however they are spelled', () => {
    expect(Object.keys(Object(parseJsonText('{"__proto__":{"x":1},"a":{"\\u005f_proto__":1,"b":2}}')))).toEqual(['a']);
    expect(parseJsonText('{"a":{"\\u005F_proto__":1,"b":2}}')).toEqual({ a: { b: 2 } });
  });

  it('may have a hundred levels of nesting and no more; brackets in strings do not count', () => {
    expect(parseJsonText('['.repeat(100) + ']'.repeat(100))).toBeDefined();
    expect(() => parseJsonText('['.repeat(101) + ']'.repeat(101))).toThrow('nested deeper');
    expect(() => parseJsonText('['.repeat(1_000_000))).toThrow('nested deeper');
    expect(parseJsonText(JSON.stringify('[\\"'.repeat(200)))).toBe('[\\"'.repeat(200));
  });

  describe('of a long response', () => {
    const SLICE = 512 * 1024;
    let pauses = 0;
    const pause = (): Promise<void> => {
      pauses += 1;
      return Promise.resolve();
    };
    beforeEach(() => {
      pauses = 0;
    });

    it('is parsed like that of a short response, yielding the thread in between', async () => {
      const value = { list: Array.from({ length: 5 }, (_, index) => ({ index, text: 't'.repeat(SLICE / 2) })) };
      expect(await parseLongJsonText(JSON.stringify(value), pause)).toEqual(value);
      expect(pauses).toBe(4);
      expect(await parseLongJsonText('{"a":1}', pause)).toEqual({ a: 1 });
      expect(pauses).toBe(4);
    });

    it('is parsed in a separate event loop tick, however many arrive at once', async () => {
      const text = JSON.stringify(Array.from({ length: 10_000 }, (_, index) => ({ index })));
      const turns: string[] = [];
      await Promise.all(
        ['a', 'b'].map(async (name) => {
          await parseLongJsonText(text, () => Promise.resolve(void turns.push(name)));
          turns.push(`${name} is parsed`);
        }),
      );
      expect(turns).toEqual(['a', 'b', 'a', 'b', 'a is parsed', 'b is parsed']);
    });

    it.each([-3, -2, -1, 0, 1])('is read across a slice boundary, with an escape %i characters from it', async (at) => {
      const text = `${'x'.repeat(SLICE + at - '["'.length)}"${'['.repeat(200)}`;
      expect(await parseLongJsonText(JSON.stringify([text]), pause)).toEqual([text]);
    });

    it('has keys that could become a prototype removed in parts, however many objects have them', async () => {
      const objects = 100_000;
      const parts = Array.from({ length: objects }, (_, index) => `{"__proto__":{"x":1},"i":[${index}]}`);
      const text = `[${parts.join(',')}]`;
      const value = await parseLongJsonText(text, pause);
      expect(JSON.stringify(value)).toBe(
        JSON.stringify(Array.from({ length: objects }, (_, index) => ({ i: [index] }))),
      );
      const slices = Math.ceil(text.length / SLICE);
      expect(pauses).toBe(1 + slices + Math.floor((1 + 2 * objects) / 32_768));
    });

    it('is rejected if the nesting across slices is too deep', async () => {
      const padding = `"${'x'.repeat(SLICE)}",`;
      const nested = (levels: number): string => `[${padding}`.repeat(levels) + '0' + ']'.repeat(levels);
      expect(await parseLongJsonText(nested(100), pause)).toBeDefined();
      await expect(parseLongJsonText(nested(101), pause)).rejects.toThrow('nested deeper');
    });
  });
});
