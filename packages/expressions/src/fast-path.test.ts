import fc from 'fast-check';
import type { FixedScopeOptions } from './testing/fixed-scope';
import { bodyValue, valueOf } from './testing/fixed-scope';

const DATA = {
  a: { b: [{ c: 'x' }, 2], length: 7, 'two words': 1 },
  list: [[1], 'text'],
  t: 'abc',
  n: null,
  toString: 'own',
};
const OPTIONS: FixedScopeOptions = { items: [DATA], nodes: { Other: [DATA] } };

const key = fc.constantFrom(
  '.a',
  '.b',
  '.list',
  '[0]',
  '[1]',
  '["c"]',
  "['two words']",
  '.length',
  '.t',
  '.n',
  '?.a',
  '.missing',
  '[7]',
  '.keys',
  '.first',
  '["-1"]',
  '.at',
);
const start = fc.constantFrom(
  '$json',
  "$('Other').item.json",
  "$('Other').first().json",
  "$('Other').last()['json']",
  '$node["Other"].json',
  '$node.Other["data"]',
  "$('Other').item",
);

function outcome(body: string): unknown {
  try {
    return bodyValue(body, OPTIONS);
  } catch (error) {
    return String(error);
  }
}

describe('a plain path', () => {
  it('has the same result as in the interpreter', () => {
    fc.assert(
      fc.property(start, fc.array(key, { maxLength: 4 }), (from, keys) => {
        const path = from + keys.join('');
        // A sequence is never taken for a plain path.
        expect(outcome(path)).toEqual(outcome(`(0, ${path})`));
      }),
      { numRuns: 1_000 },
    );
  });

  it('has the same result within a string', () => {
    fc.assert(
      fc.property(start, fc.array(key, { maxLength: 3 }), (from, keys) => {
        const path = from + keys.join('');
        const asText = (body: string): unknown => {
          try {
            return valueOf(`=<{{ ${body} }}>`, OPTIONS);
          } catch (error) {
            return String(error);
          }
        };
        expect(asText(path)).toEqual(asText(`(0, ${path})`));
      }),
      { numRuns: 500 },
    );
  });

  it('returns data unchanged, without copying it', () => {
    expect(bodyValue('$json.a', OPTIONS)).toBe(DATA.a);
  });
});
