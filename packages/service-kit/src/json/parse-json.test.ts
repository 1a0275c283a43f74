import fc from 'fast-check';
import { JSON_LIMITS, parseJson } from './parse-json';

const parse = (text: string) => parseJson(Buffer.from(text));

describe('untrusted JSON', () => {
  it('is parsed as by JSON.parse, within the bounds', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        fc.pre(!JSON.stringify(value).includes('"__proto__"'));
        expect(parse(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('is refused when nested too deep', () => {
    expect(() => parse('['.repeat(5_000_000))).toThrow('too complex');
    expect(parse(`${'['.repeat(100)}${']'.repeat(100)}`)).toBeDefined();
    expect(() => parse(`${'['.repeat(101)}${']'.repeat(101)}`)).toThrow('too complex');
  });

  it('does not count brackets in strings', () => {
    expect(parse(JSON.stringify({ a: '[{"'.repeat(500) }))).toEqual({ a: '[{"'.repeat(500) });
  });

  it('is refused when it holds too many values or bytes', () => {
    expect(() => parse(`[${'0,'.repeat(1_000_000)}0]`)).toThrow('too complex');
    expect(() => parse(`"${'x'.repeat(JSON_LIMITS.maxBytes)}"`)).toThrow('bytes');
  });

  it.each([
    '{"__proto__":{}}',
    '{"a":[{"\\u005f_proto__":1}]}',
    '{"__\\u0070roto__":1}',
    '{"__pro\\u0074o_\\u005F":1}',
  ])('never holds the key __proto__: %s', (text) => {
    expect(() => parse(text)).toThrow('not allowed');
  });

  it('may hold that word as a value', () => {
    expect(parse('{"a":"__proto__"}')).toEqual({ a: '__proto__' });
  });

  it.each<[string, number[], number]>([
    ['Latin-1', [0xfc], 6],
    ['a surrogate', [0xed, 0xa0, 0x80], 6],
    ['half of a character', [0xe2, 0x82], 6],
    ['a lone continuation after a real replacement', [0xef, 0xbf, 0xbd, 0xc3, 0xbc, 0x80], 11],
  ])('is refused with the offset of the byte that is not UTF-8: %s', (_, bytes, offset) => {
    const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')]);
    expect(() => parseJson(body)).toThrow(
      expect.objectContaining({
        message: 'The body is not valid UTF-8.',
        fields: [{ field: '', message: expect.stringContaining(`at offset ${offset}:`) }],
      }),
    );
  });

  it('may hold the character for what could not be decoded', () => {
    expect(parse('"\ufffd"')).toBe('\ufffd');
  });

  it.each([
    ...['{"a":1e400}', '[-1e309]', '[1E+309]', '1e400', '\ufeff1e400', ' [ {"b" : 1e400 } ] ', '["1",1e400]'],
    ...[`[${'9'.repeat(310)}]`, `[1${'0'.repeat(250)}e99]`],
  ])('is refused if a number is infinite for a double: %s', (text) => {
    expect(() => parse(text)).toThrow('A number is too large.');
  });

  it('is refused with the key of the invalid value', () => {
    const refused = (text: string): unknown => {
      try {
        return parse(text);
      } catch (error) {
        return error;
      }
    };
    const field = (name: string) => expect.objectContaining({ fields: [expect.objectContaining({ field: name })] });
    expect(refused('{"a":1,"b \\"c\\"": 1e400}')).toEqual(field('b "c"'));
    expect(refused('{"a":[1e400]}')).toEqual(field(''));
    expect(refused('{"a":{"__proto__":1}}')).toEqual(field('__proto__'));
  });

  /** Numbers and strings as clients write them, close to the refused ones. */
  const near = fc.oneof(
    fc.tuple(fc.constantFrom('', '-'), fc.nat({ max: 99 }), fc.constantFrom('e', 'E', 'e+', 'e-', '.5e'), fc.nat(400)),
    fc.tuple(fc.constantFrom('1', '-1'), fc.nat({ max: 320 })).map(([one, zeros]) => [one, '0'.repeat(zeros)]),
    fc.constantFrom('"1e400"', 'true', 'false', 'null', '{}', '[ ]', '"\\"1e999"').map((text) => [text]),
  );
  const keys = fc.constantFrom('"a"', '"e1"', '"1e999"', '"__proto__"', '"\\u005f_proto__"', '"__proto__x"', '"\\\\"');
  const spaces = fc.constantFrom('', ' ', '\n');

  it('is refused exactly if a check of each value would refuse it', () => {
    const member = fc.tuple(keys, spaces, near, spaces).map(([key, a, b, c]) => `${key}${a}:${c}${b.join('')}${a}`);
    const list = fc.array(fc.tuple(spaces, near).map(([space, parts]) => `${space}${parts.join('')}${space}`));
    const object = fc
      .uniqueArray(member, { maxLength: 3, selector: (text) => text.split(':')[0]?.trim() })
      .map((members) => `{${members.join(',')}}`);
    const document = fc.tuple(list, object, list).map(([a, b, c]) => `[${[...a, b, ...c].join(',')}]`);
    const isRefusable = (text: string): boolean => {
      let isFound = false;
      JSON.parse(text, (key, value: unknown) => {
        isFound ||= key === '__proto__' || value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;
        return value;
      });
      return isFound;
    };
    fc.assert(
      fc.property(document, (text) => {
        if (isRefusable(text)) expect(() => parse(text)).toThrow(/not allowed|too large/);
        else expect(parse(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it('accepts large finite numbers, and strings that look like larger ones', () => {
    expect(parse('[1e308,1e-400,"1e400",12345678901234567890]')).toEqual([1e308, 0, '1e400', 12345678901234567000]);
  });

  it('may begin with a byte order mark', () => {
    expect(parse('\ufeff{"a":1}')).toEqual({ a: 1 });
  });

  it.each(['', '{', '[1,]', 'nul', '{"a":1}x'])('is refused when broken: %j', (text) => {
    expect(() => parse(text)).toThrow('not valid JSON');
  });
});
