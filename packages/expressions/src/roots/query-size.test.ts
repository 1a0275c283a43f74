import fc from 'fast-check';
import { compile, search } from 'jmespath';
import { ExpressionError } from '../errors';
import { QuerySize, sizeOf } from './query-size';

const DATA = {
  a: [
    { b: 1, c: 'text' },
    { b: 2, c: 'more' },
  ],
  d: { e: [1, [2, 3]], f: 'x' },
  s: 'some text',
};

const step = fc.constantFrom(
  'a',
  'd',
  's',
  'a[*]',
  'a[].b',
  'd.*',
  '[@, @]',
  '{ x: @, y: @ }',
  '[]',
  '[*].c',
  'keys(@)',
  'values(@)',
  'to_array(@)',
  'not_null(@, `1`)',
  'to_string(@)',
  '`[1, 2]`',
  'a[?b > `1`]',
  '[@, `"lit"`][]',
  "join(', ', a[].c)",
  'reverse(@)',
  'map(&b, a)',
  'sort_by(a, &b)',
  'a || d',
  'd && a',
  '!s',
  'length(@) == `2`',
  '[0]',
  'a[0:1]',
);

describe('the size of a query', () => {
  it('is never less than what the query makes', () => {
    let compared = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 5 }), (steps) => {
        const query = steps.join(' | ');
        let made: unknown;
        try {
          made = search(DATA, query);
        } catch {
          return;
        }
        compared += 1;
        expect(new QuerySize().of(compile(query), sizeOf(DATA), 1)).toBeGreaterThanOrEqual(
          made === null ? 0 : sizeOf(made),
        );
      }),
      { numRuns: 1_000 },
    );
    expect(compared).toBeGreaterThan(200);
  });

  it.each([
    '[@,@]',
    '{ a: @, b: @ }',
    '[@,@][]',
    'map(&[@,@], to_array(@))',
    '[*].[@,@]',
    '*.[@,@]',
    'to_string(@)',
    '[?@].[@,@]',
  ])('is refused where %s multiplies without end', (part) => {
    const query = Array.from({ length: 40 }, () => part).join(' | ');
    expect(() => new QuerySize().of(compile(query), 1_000, 1)).toThrow(ExpressionError);
  });
});
