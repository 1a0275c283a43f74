import type { JsonObject } from '@weft/node-catalogue';
import fc from 'fast-check';
import { getPath, pathSteps, setPath, unsetPath } from './json-path';

const after = (json: JsonObject, change: (json: JsonObject) => void): JsonObject => {
  const copy = { ...json };
  change(copy);
  return copy;
};

describe('paths', () => {
  it.each<[string, string[]]>([
    ['a', ['a']],
    ['a.b.c', ['a', 'b', 'c']],
    ['a[0].b', ['a', '0', 'b']],
    ['a["x y"].c', ['a', 'x y', 'c']],
    ["a['b.c']", ['a', 'b.c']],
    ['list[2]', ['list', '2']],
    ['a b.c', ['a b', 'c']],
  ])('%s has the steps %j', (path, steps) => {
    expect(pathSteps(path)).toEqual(steps);
  });

  it('are read as one expression would read them, in linear time', () => {
    const steps = /\[\s*(?:"([^"]*)"|'([^']*)'|([^\]]*))\s*\]|[^.[\]]+|(?<=^|\.)(?=\.|$)/g;
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'[].."\' ab') }), (path) => {
        const expected = [...path.matchAll(steps)].map((match) => match[1] ?? match[2] ?? match[3] ?? match[0]);
        expect(pathSteps(path)).toEqual(expected.length === 0 ? [path] : expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it('of brackets alone lead nowhere', () => {
    expect(getPath({ a: 1 }, '[[')).toBeUndefined();
  });

  it('read nested fields, and a field with that exact name first', () => {
    expect(getPath({ a: { b: [{ c: 1 }] } }, 'a.b[0].c')).toBe(1);
    expect(getPath({ 'a.b': 2, a: { b: 1 } }, 'a.b')).toBe(2);
    expect(getPath({ a: null }, 'a.b')).toBeUndefined();
    expect(getPath({}, 'constructor.name')).toBeUndefined();
  });

  it('write nested fields, creating missing ones', () => {
    expect(after({}, (json) => setPath(json, 'a.b', 1))).toEqual({ a: { b: 1 } });
    expect(after({}, (json) => setPath(json, 'a[1].b', 1))).toEqual({ a: [null, { b: 1 }] });
    expect(after({ a: 5 }, (json) => setPath(json, 'a.b', 1))).toEqual({ a: { b: 1 } });
    expect(after({ 'a.b': 0 }, (json) => setPath(json, 'a.b', 1))).toEqual({ 'a.b': 1 });
  });

  it('never change other items', () => {
    const shared = { a: { b: { c: 1 } }, list: [{ d: 1 }] };
    const changed = after(shared, (json) => {
      setPath(json, 'a.b.c', 2);
      setPath(json, 'list[0].d', 2);
      unsetPath(json, 'a.b.c');
    });
    expect(shared).toEqual({ a: { b: { c: 1 } }, list: [{ d: 1 }] });
    expect(changed).toEqual({ a: { b: {} }, list: [{ d: 2 }] });
  });

  it('remove fields', () => {
    expect(after({ a: { b: 1, c: 2 }, d: 3 }, (json) => unsetPath(json, 'a.b'))).toEqual({ a: { c: 2 }, d: 3 });
    expect(after({ a: 1 }, (json) => unsetPath(json, 'a.b.c'))).toEqual({ a: 1 });
  });

  it('neither reach into JavaScript nor fill memory', () => {
    expect(() => setPath({}, '__proto__.polluted', true)).toThrow('not allowed');
    expect(() => setPath({}, 'a.__proto__.b', true)).toThrow('not allowed');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect(() => setPath({}, 'a[99999999]', 1)).toThrow('not an index');
    expect(() => setPath({ a: [] }, 'a.b', 1)).toThrow('not an index');
  });
});
