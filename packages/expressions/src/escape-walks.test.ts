import fc from 'fast-check';
import { FORBIDDEN, outcome } from './testing/leak';

describe('any walk over the members of any value', () => {
  const values = fc.constantFrom(
    '$json',
    '[]',
    '"text"',
    '(5)',
    'true',
    '(() => 1)',
    'Math',
    'JSON',
    'Object',
    'Array',
    'Date',
    'DateTime',
    '$now',
    'new Date()',
    '/x/g',
    'new Map()',
    'new Set()',
    'new Error("e")',
    '$input',
    '$("Other")',
    '$node',
    '$execution',
    'new URL("https://weft.example")',
    'Interval.after($now, 1)',
    '"a".matchAll(/a/g)',
    '$parameter',
    '$if',
    '$items',
    'this',
    '(function () { return this })()',
  );
  const names = [
    ...FORBIDDEN,
    'arguments',
    'caller',
    'call',
    'apply',
    'bind',
    'name',
    'length',
    'toString',
    'valueOf',
    'zone',
    'loc',
    'c',
    'item',
    'json',
    'all',
    'map',
    'keys',
    'get',
    'then',
    'raw',
    'groups',
    'source',
    'cause',
    'stack',
    'description',
    'pattern',
    'body',
    'code',
    'outer',
    'scope',
    'run',
    'parts',
    'members',
    'native',
    'url',
    'params',
    'rest',
    'values',
    'position',
    'isType',
  ];
  const step = fc.oneof(
    fc.constantFrom(...names).map((name) => `.${name}`),
    fc.constantFrom(...names).map((name) => `?.["${name.slice(0, 2)}" + "${name.slice(2)}"]`),
    fc.constantFrom('()', '(1)', '("x")', '((x) => x)', '?.({})', '(Object)', '(...[])'),
  );

  it('never reaches anything but data', () => {
    fc.assert(
      fc.property(values, fc.array(step, { maxLength: 5 }), (value, steps) => {
        const body = value + steps.join('');
        expect([body, outcome(body), outcome(`[${body}]`)]).toEqual([body, undefined, undefined]);
      }),
      { numRuns: 2_000 },
    );
  });
});
