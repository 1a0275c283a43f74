import { bodyValue } from './testing/fixed-scope';

describe('the result of an expression', () => {
  it.each<readonly [string, unknown]>([
    ['({ f: () => 1, n: 1, list: [1, () => 2] })', { n: 1, list: [1, null] }],
    ['[Math, $json.a]', [{}, 1]],
    ['new Set().add(() => 1).add(2)', new Set([undefined, 2])],
    ['new Map([["a", { f: String }]])', new Map([['a', {}]])],
    ['"a1b2".matchAll(/\\d/g)', {}],
    ['[[1].keys(), [...[1].keys()]]', [{}, [0]]],
    ['new RangeError("far")', { name: 'RangeError', message: 'far' }],
    ['/x/g', {}],
    ['new URL("https://weft.example/a")', 'https://weft.example/a'],
    ['[new URL("https://weft.example/a").searchParams]', [{}]],
    ['(() => { $json.f = () => 1; return $json })()', { a: 1 }],
    ['new Date(86400000)', new Date(86_400_000)],
  ])('%s exposes no object of the interpreter', (body, value) => {
    const result = bodyValue(body, { items: [{ a: 1 }] });
    // Lists of matches carry extra fields, which are not compared here.
    expect(
      result instanceof Map || result instanceof Set || result instanceof Date
        ? result
        : JSON.parse(JSON.stringify(result)),
    ).toEqual(value);
  });

  it('is refused when it contains itself', () => {
    expect(() => bodyValue('(() => { const a = []; a.push(a); return a })()')).toThrow('contains itself');
  });
});
