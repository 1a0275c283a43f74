import type { Json } from '@weft/service-kit/json-values';
import fc from 'fast-check';
import { ExpressionError } from '../errors';
import { evaluateStrict } from '../evaluate';
import { compileParameter } from '../parameter';
import { fixedScope } from '../testing/fixed-scope';

type Extra = Readonly<Record<string, Json>>;

/** The value of an expression in a strict template, or the message with which it fails. */
const outcomeOf = (expression: string, extra: Extra): unknown => {
  try {
    return { value: evaluateStrict(compileParameter(`={{ ${expression} }}`), fixedScope({ extra })) };
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
};

/** The same by the interpreter: a function has no fast form. */
const interpreted = (expression: string, extra: Extra): unknown => outcomeOf(`(() => (${expression}))()`, extra);

const names = fc.constantFrom('$p', 'o', '$json', 'missing', 'undefined', 'Math', 'toString', '$fn');
const keys = fc.constantFrom('.a', '.b', '?.a', '?.b', "['a']", '[0]', '.length', '.toString', '.__proto__');
const literals = fc.constantFrom("'x'", "''", '0', '1', 'true', 'false', 'null', '/x/');
const { expression } = fc.letrec<{ expression: string; path: string }>((tie) => ({
  path: fc.tuple(names, fc.array(keys, { maxLength: 3 })).map(([name, all]) => name + all.join('')),
  expression: fc.oneof(
    { maxDepth: 3 },
    tie('path'),
    literals,
    tie('expression').map((inner) => `!(${inner})`),
    tie('expression').map((inner) => `$fn.path(${inner})`),
    fc
      .tuple(tie('expression'), fc.constantFrom('===', '!==', '==', '+', '||', '&&', '??'), tie('expression'))
      .map(([left, operator, right]) => `(${left}) ${operator} (${right})`),
    fc
      .tuple(tie('expression'), tie('expression'), tie('expression'))
      .map(([test, then, otherwise]) => `(${test}) ? (${then}) : (${otherwise})`),
  ),
}));

const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom<Json>(null, '', 'x', '.', 'a/b \ud800', 0, -0, 1.5, 2 ** 60, 1, true, false),
    fc.dictionary(fc.constantFrom('a', 'b', 'length'), tie('value'), { maxKeys: 2 }),
    fc.array(tie('value'), { maxLength: 2 }),
  ),
}));

describe('the fast form of a strict template', () => {
  it('has the value, or the failure, that the interpreter has', () => {
    fc.assert(
      fc.property(expression, value, value, (text, $p, o) => {
        const extra = { $p, o };
        expect(outcomeOf(text, extra)).toEqual(interpreted(text, extra));
      }),
      { numRuns: 3_000 },
    );
  });

  it.each<[string, unknown]>([
    ["$p.select === 'user' ? $p.user : $p.channel", 'C1'],
    ["$p.parse || 'Markdown'", 'Markdown'],
    ['$p.missing?.deep?.path', undefined],
    ['$p.list[1]', 'two'],
    ['$p.list.length', 2],
    ["'/users/' + $fn.path($p.channel + '/' + $p.list.length)", '/users/C1%2F2'],
  ])('gives the value of %s', (text, expected) => {
    const $p = { select: 'channel', channel: 'C1', parse: '', list: ['one', 'two'] };
    expect(outcomeOf(text, { $p })).toEqual({ value: expected });
  });
});
