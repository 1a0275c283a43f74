import { findCalls } from './template/find-calls';

const calls = (text: string): unknown => findCalls(text, new Set(['f', 'g']));

describe('calls in an expression', () => {
  it('are found in the order of the source, nested ones included', () => {
    expect(calls("=a {{ f('x', g(1)) }} b {{ [1].map((x) => f(`y`)) }}")).toEqual([
      {
        name: 'f',
        arguments: [
          { kind: 'constant', value: 'x' },
          { kind: 'code', source: 'g(1)' },
        ],
      },
      { name: 'g', arguments: [{ kind: 'constant', value: 1 }] },
      { name: 'f', arguments: [{ kind: 'constant', value: 'y' }] },
    ]);
  });

  it.each<[string, unknown]>([
    ['-1', -1],
    ['null', null],
    ['undefined', undefined],
    ["'a' + 'b'", 'ab'],
    ['[1, { a: true }]', [1, { a: true }]],
    ['{ a: undefined }', {}],
  ])('have %s as a constant', (source, value) => {
    expect(calls(`={{ f(${source}) }}`)).toEqual([{ name: 'f', arguments: [{ kind: 'constant', value }] }]);
  });

  it.each(['$json.a', '`a${1}`', '1 + 1', '[...a]', '{ ["a"]: 1 }', '{ __proto__: {} }', '-a', '/x/', '10n'])(
    'have %s as code',
    (source) => {
      expect(calls(`={{ f(${source}) }}`)).toEqual([{ name: 'f', arguments: [{ kind: 'code', source }] }]);
    },
  );

  it('are not found in strings, comments, members and text', () => {
    expect(calls('=f(1) {{ "f(1)" /* f(1) */ + a.f(1) }}')).toEqual([]);
  });
});
