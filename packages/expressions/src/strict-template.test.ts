import type { Json } from '@weft/service-kit/json-values';
import { ExpressionError } from './errors';
import { evaluateStrict } from './evaluate';
import { TemplateFile, TemplateMail } from './globals/template-functions';
import { compileParameter } from './parameter';
import { freeNames } from './template/free-names';
import { fixedScope, valueOf } from './testing/fixed-scope';

const strict = (text: string, extra: Record<string, Json> = {}): unknown =>
  evaluateStrict(compileParameter(text), fixedScope({ extra }));

function failureOf(text: string, extra: Record<string, Json> = {}): ExpressionError {
  try {
    strict(text, extra);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  throw new Error('Expected an error.');
}

describe('a strict template', () => {
  it.each([
    ["={{ JSON.parse('x') }}", 'JSON'],
    ['={{ $p.a.b }}', "Cannot read properties of undefined (reading 'b')"],
    ['={{ unknown }}', 'unknown is not defined'],
    ['={{ [1].map(x => x.y.z) }}', 'Cannot read properties of undefined'],
    ['={{ window }}', 'window is not defined'],
    ["={{ (() => { throw new Error('no') })() }}", 'no'],
    ['=/a/{{ $p.a }}', 'A part of the text is undefined'],
    ['={{ $json.a.b }}', "Cannot read properties of undefined (reading 'b')"],
  ])('fails for %s', (text, message) => {
    expect(failureOf(text, { $p: {} })).toMatchObject({ type: 'thrown', message: expect.stringContaining(message) });
  });

  it('gives the value of an expression that handles its exceptions', () => {
    expect(strict("={{ (() => { try { return $p.a.b } catch { return 'none' } })() }}", { $p: {} })).toBe('none');
    expect(strict('={{ $p.a?.b }}', { $p: {} })).toBeUndefined();
    expect(strict('=/a/{{ $p.n }}', { $p: { n: 1 } })).toBe('/a/1');
  });

  it('has the budgets of every expression', () => {
    expect(failureOf("={{ 'x'.repeat(10000000) }}").type).toBe('budget');
  });

  it('has the functions of $fn, which workflows do not have', () => {
    const $p = { o: { a: 1, b: 2 }, j: '{"x":1}', t: '2026-01-01T00:00:01Z' };
    expect(strict("={{ $fn.omit($p.o, 'a') }}", { $p })).toEqual({ b: 2 });
    expect(strict('={{ $fn.omit(undefined) }}')).toEqual({});
    expect(strict('={{ $fn.json($p.j) }}', { $p })).toEqual({ x: 1 });
    expect(strict('={{ $fn.json($p.o) }}', { $p })).toEqual({ a: 1, b: 2 });
    expect(strict('={{ $fn.text($p.o) }}', { $p })).toBe('{"a":1,"b":2}');
    expect(strict('={{ $fn.seconds($p.t) }}', { $p })).toBe(1_767_225_601);
    expect(strict("={{ $fn.path('a/b c') }}")).toBe('a%2Fb%20c');
    expect(strict("={{ $fn.base64('é') }}")).toBe('w6k=');
    expect(valueOf("={{ $fn.base64('a') }}")).toBeUndefined();
  });

  it.each(['', '.', '..'])('refuses the path segment %j, which would change the path', (segment) => {
    expect(failureOf('={{ $fn.path($p.s) }}', { $p: { s: segment } }).message).toContain('cannot be a part of a path');
  });

  it('gives a file as a TemplateFile, which data cannot imitate', () => {
    const value = strict("={{ ({ photo: $fn.file('data', 'a.png'), other: { property: 'data' } }) }}");
    expect(value).toEqual({ photo: new TemplateFile('data', 'a.png', undefined), other: { property: 'data' } });
    expect(value).toHaveProperty('photo', expect.any(TemplateFile));
  });

  it('gives a mail as a TemplateMail', () => {
    const $p = { to: 'a@example.com' };
    expect(strict("={{ $fn.mime({ to: $p.to, cc: undefined, attachments: ['data'] }) }}", { $p })).toEqual(
      new TemplateMail({ to: 'a@example.com', attachments: ['data'] }),
    );
    expect(failureOf("={{ $fn.mime('text') }}").message).toContain('needs an object');
  });

  it('has random ids', () => {
    expect(strict('={{ $fn.uuid() === $fn.uuid() }}')).toBe(false);
    expect(strict('={{ $fn.uuid() }}')).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });
});

describe('the free names of a template', () => {
  it('are those that are neither variables nor globals', () => {
    expect(freeNames("={{ $p.list.map(x => x + y) }}{{ Math.max(1, z) }} {{ $('A').item }}").sort()).toEqual([
      '$',
      '$p',
      'y',
      'z',
    ]);
    expect(freeNames('={{ [undefined, NaN].length }}')).toEqual([]);
  });
});
