import fc from 'fast-check';
import { JSON_LIMITS, parseJson } from './parse-json';

const parse = (text: string) => parseJson(Buffer.from(text));

describe('JSON from outside', () => {
  it('is parsed as by JSON.parse, within the bounds', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        fc.pre(!JSON.stringify(value).includes('"__proto__"'));
        expect(parse(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('is refused when nested too deep, before anything is built from it', () => {
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

  it.each(['{"__proto__":{}}', '{"a":[{"\\u005f_proto__":1}]}'])('never holds the key __proto__: %s', (text) => {
    expect(() => parse(text)).toThrow('not allowed');
  });

  it('may hold that word as a value', () => {
    expect(parse('{"a":"__proto__"}')).toEqual({ a: '__proto__' });
  });

  it.each(['', '{', '[1,]', 'nul', '{"a":1}x'])('is refused when broken: %j', (text) => {
    expect(() => parse(text)).toThrow('not valid JSON');
  });
});
