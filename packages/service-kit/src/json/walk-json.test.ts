import type { Json, JsonObject } from './json';
import { type JsonRules, walkJson } from './walk-json';

const tooDeep = (): never => {
  throw new Error('too deep');
};

/** Walks to the end; returns the number of yields. */
const walk = (value: Json, rules: Partial<JsonRules> = {}): number =>
  [...walkJson(value, { maxDepth: 100, onTooDeep: tooDeep, ...rules })].length;

const nested = (levels: number): Json => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as Json;

describe('the walk over a parsed value', () => {
  it('detects too many levels of lists and objects, however many there are', () => {
    expect(walk(nested(100))).toBe(0);
    expect(() => walk(nested(101))).toThrow('too deep');
    expect(() => walk(nested(1_000_000))).toThrow('too deep');
    expect(() => walk({ a: [{ b: 1 }] }, { maxDepth: 2 })).toThrow('too deep');
    expect(() => walk(1, { maxDepth: 0 })).not.toThrow();
  });

  it('reports each object with a key __proto__, which may be removed', () => {
    const value = JSON.parse('[{"__proto__":{"x":1},"a":{"__proto__":1,"b":2}},{"c":"__proto__"}]') as Json;
    const onProto = (object: JsonObject) => void Reflect.deleteProperty(object, '__proto__');
    walk(value, { onProto });
    expect(JSON.stringify(value)).toBe('[{"a":{"b":2}},{"c":"__proto__"}]');
  });

  it('reports the keys of infinite numbers and continues', () => {
    const found: string[] = [];
    const onInfinite = (key: string) => void found.push(key);
    walk(
      { a: Number.POSITIVE_INFINITY, b: [Number.NEGATIVE_INFINITY, 1], c: { d: Number.POSITIVE_INFINITY } },
      { onInfinite },
    );
    walk(Number.POSITIVE_INFINITY, { onInfinite });
    expect(found).toEqual(['a', '', 'd', '']);
  });

  it('yields after each part of many lists and objects', () => {
    expect(walk(Array.from({ length: 100_000 }, () => ({})))).toBe(3);
    expect(walk(Array.from({ length: 100_000 }, () => 'text'))).toBe(0);
  });
});
