import { errorOf } from './testing/fixed-scope';

describe('syntax that expressions leave out', () => {
  it.each([
    ['class {}', 'Classes are'],
    ['(() => { class A {} })()', 'Classes are'],
    ['async () => 1', 'Async functions are'],
    ['(async function () {})()', 'Async functions are'],
    ['(function* () { yield 1 })()', 'Generators are'],
    ['import("node:fs")', 'import is'],
    ['1n', 'BigInt is'],
    ['BigInt64Array.from([1n])', 'BigInt is'],
    ['({ get x() { return 1 } })', 'Getters and setters are'],
    ['({ set x(v) {} })', 'Getters and setters are'],
    ['(() => { with ({}) { } })()', 'with is'],
    ['(function () { return new.target })()', 'new.target and import.meta are'],
    ['delete $json', 'delete of anything but a field is'],
  ])('%s', (body, what) => {
    const error = errorOf(`={{ ${body} }}`);
    expect(error.type).toBe('syntax');
    expect(error.message).toBe(`${what} not available in expressions`);
  });

  it.each([
    '',
    '/* nothing */',
    '1 +',
    '$json a',
    'return 1',
    'let x = 1',
    '}',
    '"open',
    '1) + (2',
    '/(/',
    '/a/gg',
    'await 1',
    'yield 1',
    'import.meta',
    'super.x',
  ])('%s is not an expression', (body) => {
    expect(errorOf(`={{ ${body} }}`)).toMatchObject({ type: 'syntax' });
  });

  it('is refused whether it would be reached or not', () => {
    expect(errorOf('={{ false && class {} }}').type).toBe('syntax');
  });

  it('reports its position', () => {
    expect(errorOf('=x {{ 1 + 1n }}').position).toBe(10);
  });
});
