import { compileParameter } from './parameter';
import { evaluate } from './evaluate';
import { errorOf, fixedScope, valueOf } from './testing/fixed-scope';

const ITEM = { name: 'Ada', list: [1, [2, 3]], person: { age: 36 }, none: null };
const inItem = (text: string): unknown => valueOf(text, { items: [ITEM] });

describe('a string that starts with =', () => {
  it.each<readonly [string, unknown]>([
    ['=', ''],
    ['=no expression', 'no expression'],
    ['={{ $json.list }}', [1, [2, 3]]],
    ['={{ $json.person }}', { age: 36 }],
    ['={{ $json.none }}', null],
    ['={{ $json.gone }}', undefined],
    ['={{ 1 + 1 }}', 2],
    ['= {{ 1 + 1 }}', ' 2'],
    ['={{ $json.name }} {{ $json.person.age }}', 'Ada 36'],
    [
      '=[{{ $json.list }}] [{{ $json.person }}] [{{ $json.none }}] [{{ $json.gone }}]',
      '[1,2,3] [[object Object]] [] []',
    ],
    ['=a {{ true }} {{ 0 }} {{ NaN }}.', 'a true 0 .'],
    ['={{ $json.gone.deeper }}!', '!'],
    ['=\\{{ not one }}', '\\{{ not one }}'],
    [String.raw`=a\b {{ 1 }}`, String.raw`a\b 1`],
    [String.raw`=a\\b {{ 1 }}`, String.raw`a\b 1`],
    [String.raw`=a\\\\b {{ 1 }} c\\d`, String.raw`a\\b 1 c\\d`],
    [String.raw`=C:\\x\\{{ 1 }}`, String.raw`C:\x\1`],
    [String.raw`=\\\{{ 1 }}`, String.raw`\\\{{ 1 }}`],
    [String.raw`=\{{ {{ 1 }}`, String.raw`\{{ 1`],
    [String.raw`=no braces \\`, String.raw`no braces \\`],
    ['={{ "\\}}" }}', '}}'],
    ['={{ "}}" }}', '}}'],
    ['={{ {a:{b:1}} }}', { a: { b: 1 } }],
    ['={{ `${"{" + "{"}x` }}', '{{x'],
    ['=never closed {{ 1 + 2', 'never closed 3'],
    ['={{', ''],
    ['={{ $json.name }}{{ ', 'Ada'],
    ['=at {{ new Date(0) }}', 'at Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)'],
    ['=at {{ $now }}', 'at 2026-03-09T10:30:00.000Z'],
  ])('%s', (text, value) => {
    expect(inItem(text)).toEqual(value);
  });

  it('is plain text without the =', () => {
    expect(inItem('{{ 1 }}')).toBe('{{ 1 }}');
  });

  it('says where the syntax is wrong, counted from its start', () => {
    const error = errorOf('=ab {{ $json.a }} {{ 1 + }}');
    expect(error).toMatchObject({ type: 'syntax', message: 'invalid syntax', position: 25 });
    expect(error.description).toContain('Unexpected token');
  });

  it.each(['={{ }}', '={{}}', '=a {{ }} b', '={{ 1 }}{{ }}'])('refuses %s, which holds no expression', (text) => {
    expect(errorOf(text)).toMatchObject({ type: 'syntax', message: 'invalid syntax' });
  });

  it('refuses a function as the result', () => {
    expect(errorOf('={{ $json.name.trim }}', { items: [ITEM] })).toMatchObject({
      type: 'function',
      message: 'this is a function, please add ()',
    });
    expect(errorOf('={{ DateTime }}')).toMatchObject({
      type: 'function',
      message: 'this is a DateTime, please access its methods',
    });
  });
});

describe('a parameter tree', () => {
  const tree = {
    url: '=https://weft.example/{{ $json.name }}',
    headers: [{ name: 'A', value: '={{ $json.list[0] }}' }],
    raw: 'as {{ it }} is',
    n: 4,
  };

  it('is evaluated leaf by leaf', () => {
    expect(evaluate(compileParameter(tree), fixedScope({ items: [ITEM] }))).toEqual({
      url: 'https://weft.example/Ada',
      headers: [{ name: 'A', value: 1 }],
      raw: 'as {{ it }} is',
      n: 4,
    });
  });

  it('is returned unchanged if nothing in it is an expression', () => {
    const constant = { a: [1, 'b', { c: null }] };
    const compiled = compileParameter(constant);
    expect(compiled.isConstant).toBe(true);
    expect(evaluate(compiled, fixedScope())).toBe(constant);
  });

  it('loses the = of a string that only looks like an expression', () => {
    expect(evaluate(compileParameter({ a: '=text', b: 1 }), fixedScope())).toEqual({ a: 'text', b: 1 });
  });

  it('lists the templates that cannot be compiled, with their path, before anything is run', () => {
    const { errors } = compileParameter({ ok: '={{ 1 }}', list: [{ bad: '={{ 1 + }}' }], worse: '={{ class {} }}' });
    expect(errors.map(({ path }) => path)).toEqual(['list[0].bad', 'worse']);
    expect(errors[1]?.message).toContain('Classes are not available in expressions');
  });

  it('refuses a field called __proto__', () => {
    const parameter: Record<string, string> = {};
    Object.defineProperty(parameter, '__proto__', { value: '={{ 1 }}', enumerable: true });
    expect(() => evaluate(compileParameter(parameter), fixedScope())).toThrow('due to security concerns');
  });

  it('refuses a tree nested without end', () => {
    let nested: Record<string, unknown> = { leaf: '={{ 1 }}' };
    for (let level = 0; level < 300; level += 1) nested = { nested };
    const { errors } = compileParameter(JSON.parse(JSON.stringify(nested)));
    expect(errors[0]?.message).toContain('nested deeper than 200 levels');
  });
});
