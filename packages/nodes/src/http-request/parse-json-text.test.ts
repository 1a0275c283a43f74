import { parseJsonText } from './parse-json-text';

describe('the JSON of a response', () => {
  it('is parsed without keys that could become a prototype, however they are spelled', () => {
    expect(Object.keys(Object(parseJsonText('{"__proto__":{"x":1},"a":{"\\u005f_proto__":1,"b":2}}')))).toEqual(['a']);
    expect(parseJsonText('{"a":{"\\u005F_proto__":1,"b":2}}')).toEqual({ a: { b: 2 } });
  });

  it('may be nested a hundred levels and no deeper; brackets in texts do not count', () => {
    expect(parseJsonText('['.repeat(100) + ']'.repeat(100))).toBeDefined();
    expect(() => parseJsonText('['.repeat(101) + ']'.repeat(101))).toThrow('nested deeper');
    expect(() => parseJsonText('['.repeat(1_000_000))).toThrow('nested deeper');
    expect(parseJsonText(JSON.stringify('[\\"'.repeat(200)))).toBe('[\\"'.repeat(200));
  });
});
