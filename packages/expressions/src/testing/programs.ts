import fc from 'fast-check';

/** Generators of expressions in the part of the language that it shares with JavaScript. */

const NAMES = ['a', 'b', 'c', 'list', 'name', 'deep', 'missing'];

const literal = fc.oneof(
  fc.integer({ min: -20, max: 20 }).map((value) => (value < 0 ? `(${value})` : String(value))),
  fc.constantFrom(
    '0.5',
    '1e3',
    '""',
    '"a"',
    '"Hello, World"',
    "'1,2,3'",
    '"ä€😀"',
    'true',
    'false',
    'null',
    'undefined',
    'NaN',
    'Infinity',
    '`t`',
  ),
);

const path = fc
  .tuple(fc.constantFrom('$json', '$json?'), fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }))
  .map(([root, keys]) => `${root}.${keys.join('?.')}`);

const REGEXES = ['/a/', '/[a-z]+/gi', '/(\\w)(\\d)?/', '/,/g', '/^h(e)/i', '/\\s*/g', '/(?<word>o)/g', '/l{1,2}/'];
const BINARY = [
  '+',
  '-',
  '*',
  '/',
  '%',
  '==',
  '!=',
  '===',
  '!==',
  '<',
  '>',
  '<=',
  '>=',
  '&',
  '|',
  '^',
  '<<',
  '>>',
  '>>>',
  '&&',
  '||',
];

// An alias, as the generators ask for: an interface has no index signature.
type Texts = { expression: string; statement: string };

/** Texts of expressions; each is valid JavaScript wherever an expression in parentheses may stand. */
export const expressionText: fc.Arbitrary<string> = fc.letrec<Texts>((tie) => {
  const expression = tie('expression');
  const wrapped = expression.map((text) => `(${text})`);
  const list = fc.array(expression, { maxLength: 4 }).map((parts) => `[${parts.join(', ')}]`);
  const record = fc
    .array(fc.tuple(fc.constantFrom(...NAMES, '"x y"', '[1 + 1]'), expression), { maxLength: 3 })
    .map((fields) => `({ ${fields.map(([key, value]) => `${key}: ${value}`).join(', ')} })`);
  const callback = fc.oneof(
    expression.map((body) => `(x, i) => (${body})`),
    fc.constantFrom(
      'x => x',
      '(x, i) => i',
      'x => [x]',
      'x => typeof x',
      'function (x) { return x }',
      '({ a }) => a',
      '([p, q]) => q',
      'x => !x',
      'String',
      'Number',
      'Boolean',
    ),
  );
  const textCall = fc.tuple(
    fc.oneof(
      wrapped.map((text) => `String(${text})`),
      fc.constantFrom('"Hello, World"', '$json.name'),
    ),
    textMethod(expression),
  );
  const listCall = fc.tuple(fc.oneof(list, fc.constant('$json.list')), listMethod(expression, callback));
  return {
    expression: fc.oneof(
      { maxDepth: 4, withCrossShrink: true, depthIdentifier: 'expression' },
      literal,
      path,
      list,
      record,
      fc.tuple(wrapped, fc.constantFrom(...BINARY), wrapped).map((parts) => parts.join(' ')),
      fc.tuple(wrapped, wrapped).map(([a, b]) => `${a} ?? ${b}`),
      fc.tuple(fc.constantFrom('!', '-', '+', '~', 'typeof ', 'void '), wrapped).map(([sign, text]) => sign + text),
      fc.tuple(wrapped, expression, expression).map(([test, yes, no]) => `${test} ? ${yes} : ${no}`),
      fc.tuple(expression, expression).map(([a, b]) => `\`<\${${a}}|\${${b}}>\``),
      textCall.map((parts) => parts.join('')),
      listCall.map((parts) => parts.join('')),
      globalCall(expression, list),
      fc.tuple(list, list).map(([a, b]) => `[...${a}, ...${b}]`),
      fc.tuple(record, record).map(([a, b]) => `({ ...${a}, ...${b} })`),
      fc.tuple(wrapped, fc.constantFrom(...NAMES)).map(([object, key]) => `${object}?.${key}`),
      fc.tuple(wrapped, wrapped).map(([object, key]) => `${object}[${key}]`),
      fc.tuple(callback, list).map(([call, args]) => `(${call})(...${args})`),
      tie('statement').map((body) => `(() => { let v = 0, w = []; ${body} return [v, w] })()`),
    ),
    statement: statementText(expression, tie('statement')),
  };
}).expression;

function textMethod(argument: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const short = fc.constantFrom('0', '1', '-1', '3', '"o"', '","', '"l"', 'undefined');
  return fc.oneof(
    fc.constantFrom(
      '.length',
      '.trim()',
      '.toUpperCase()',
      '.toLowerCase()',
      '.split("")',
      '.at(-1)',
      '[0]',
      '.toString()',
      '.codePointAt(1)',
    ),
    fc
      .tuple(fc.constantFrom('slice', 'substring', 'substr', 'padStart', 'padEnd'), short, short)
      .map(([name, a, b]) => `.${name}(${a}, ${b})`),
    fc
      .tuple(
        fc.constantFrom('includes', 'indexOf', 'lastIndexOf', 'startsWith', 'endsWith', 'split', 'concat', 'charAt'),
        short,
      )
      .map(([name, a]) => `.${name}(${a})`),
    fc
      .tuple(
        fc.constantFrom(...REGEXES),
        fc.constantFrom('"-"', '"[$&]"', '"$1"', '"$<word>"', '(m) => m + m', '(m, p) => typeof p'),
      )
      .map(([regex, by]) => `.replace(${regex}, ${by})`),
    fc
      .tuple(fc.constantFrom('match', 'search', 'split'), fc.constantFrom(...REGEXES))
      .map(([name, regex]) => `.${name}(${regex})`),
    fc.constantFrom(...REGEXES.filter((regex) => regex.includes('/g'))).map((regex) => `.replaceAll(${regex}, "_")`),
    argument.map((text) => `.replace(${text}, "x")`),
  );
}

function listMethod(argument: fc.Arbitrary<string>, callback: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(
      '.length',
      '.join("-")',
      '.toReversed()',
      '.slice(1)',
      '.flat()',
      '.flat(2)',
      '.concat([1], 2)',
      '.toString()',
      '.sort()',
      '.pop()',
      '.shift()',
      '.at(-1)',
      '.splice(1, 1, 7, 8)',
    ),
    fc
      .tuple(
        fc.constantFrom('map', 'filter', 'find', 'findIndex', 'findLast', 'some', 'every', 'flatMap', 'forEach'),
        callback,
      )
      .map(([name, call]) => `.${name}(${call})`),
    fc
      .tuple(fc.constantFrom('includes', 'indexOf', 'push', 'unshift', 'fill', 'with'), argument)
      .map(([name, text]) => `.${name}(${text})`),
    argument.map((text) => `.reduce((sum, x) => sum + x, ${text})`),
  );
}

function globalCall(argument: fc.Arbitrary<string>, list: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    fc
      .tuple(
        fc.constantFrom(
          'Math.abs',
          'Math.round',
          'Math.floor',
          'Math.max',
          'Math.min',
          'String',
          'Number',
          'Boolean',
          'isNaN',
          'parseInt',
          'parseFloat',
          'JSON.stringify',
          'Array.isArray',
        ),
        argument,
      )
      .map(([name, text]) => `${name}(${text})`),
    fc
      .tuple(fc.constantFrom('Object.keys', 'Object.values', 'Object.entries'), argument)
      .map(([name, text]) => `${name}(${text})`),
    argument.map((text) => `JSON.parse(JSON.stringify(${text}))`),
    list.map((text) => `Object.assign({}, ${text})`),
    list.map((text) => `[...new Set(${text})]`),
    list.map((text) => `Array.from(${text}, (x, i) => i)`),
    argument.map((text) => `encodeURIComponent(${text})`),
  );
}

function statementText(expression: fc.Arbitrary<string>, statement: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    { maxDepth: 3, depthIdentifier: 'statement' },
    expression.map((text) => `v = ${text};`),
    expression.map((text) => `w.push(${text});`),
    fc.tuple(fc.constantFrom('+=', '-=', '||=', '??=', '&&='), expression).map(([sign, text]) => `v ${sign} ${text};`),
    fc.constantFrom(
      'v++;',
      '--v;',
      '{ const [p, q = 2] = [v]; w.push(q); }',
      '{ const { length: n, ...o } = { length: 1, z: 2 }; w.push(n, o); }',
      'w[0] = v;',
      'var u = 1; v += u;',
    ),
    fc.tuple(expression, statement, statement).map(([test, yes, no]) => `if (${test}) { ${yes} } else { ${no} }`),
    statement.map((body) => `for (let i = 0; i < 3; i++) { if (i === 1) continue; ${body} }`),
    fc
      .tuple(expression, statement)
      .map(([text, body]) => `for (const x of [${text}, 2]) { ${body} if (x === 2) break; }`),
    statement.map((body) => `for (const k in { p: 1, q: 2 }) { w.push(k); ${body} }`),
    fc
      .tuple(statement, statement)
      .map(([body, last]) => `try { ${body} } catch (e) { v = e instanceof Error } finally { ${last} }`),
    fc
      .tuple(expression, statement)
      .map(([text, body]) => `switch (${text}) { case 1: ${body} break; default: v = 'd' }`),
    fc.tuple(statement, statement).map((parts) => parts.join(' ')),
    expression.map((text) => `{ let v = 5; const f = () => v; w.push(f(), ${text}); }`),
    expression.map((text) => `if (w.length > 4) return ${text};`),
  );
}
