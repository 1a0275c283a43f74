import fc from 'fast-check';
import { isObject, isSame, type Json, type JsonObject } from './json';
import { readDocuments } from './read-documents';
import { credentialsByName, fileOf, writeDocuments } from './write-document';

/** Strings that formats for people tend to change. */
const odd = fc.constantFrom(
  ...[
    '',
    ' ',
    '\n',
    'a\n',
    '\n\na',
    'a\r\nb\r',
    '\ta',
    'yes',
    'null',
    '~',
    '1e3',
    '0x1f',
    '.5',
    '=',
    '<<',
    '- a',
    '#',
    ': ',
  ],
  ...[
    '={{ $json.a }}',
    "it's",
    '"',
    '\\',
    '\u0000',
    '\u0085',
    '\u2028',
    '\uFEFF',
    '\ud800',
    '---',
    '...',
    '%',
    '@',
    '`',
  ],
  ...[
    'a \nb',
    'a: b\n  c\n',
    ' a\n b',
    '  \n x',
    'x\n ',
    '2026-01-01',
    '1_000',
    '0o7',
    '!!str',
    '&a',
    '*a',
    '__proto__',
    '\n ',
    ' \n',
    '\n\t',
    'x\n\ty',
  ],
);
const text = fc.oneof(
  odd,
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.array(odd, { maxLength: 4 }).map((all) => all.join('')),
  fc.array(odd, { minLength: 15, maxLength: 40 }).map((all) => all.join('')),
);
const number = fc.oneof(
  fc.maxSafeInteger(),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((one) => !Object.is(one, -0) && (Number.isSafeInteger(one) || !Number.isInteger(one))),
);
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    number,
    text,
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(text, tie('json'), { maxKeys: 4 }),
  ),
}));
const members = fc.dictionary(text, json, { maxKeys: 4 });
const nodes = fc
  .uniqueArray(text, { maxLength: 4 })
  .chain((names) =>
    fc.tuple(
      ...names.map((name) => members.map((rest) => ({ ...rest, name, credentials: { apiKey: { name: 'Key' } } }))),
    ),
  );
const definition: fc.Arbitrary<JsonObject> = fc
  .tuple(text, nodes, members, members)
  .map(([name, all, settings, connections]) => ({ name, nodes: all, settings, connections }));

describe('a file', () => {
  it.each(['json', 'yaml'] as const)('has the workflow that was written to it, as %s', (format) => {
    fc.assert(
      fc.property(definition, fc.boolean(), (value, active) => {
        const file = fileOf({ key: 'a/b', active }, value);
        const content = writeDocuments(format, [file]);
        const { documents, errors } = readDocuments(`b.${format}`, `b.${format}`, content);
        expect(errors).toEqual([]);
        expect(documents).toMatchObject([{ key: 'a/b', active, hasOwnKey: true }]);
        expect(isSame(documents[0]?.definition, value)).toBe(true);
        // Written again, it has the same bytes.
        expect(writeDocuments(format, [fileOf({ key: 'a/b', active }, documents[0]?.definition ?? {})])).toBe(content);
      }),
      { numRuns: 200 },
    );
  });

  it('has several documents in YAML', () => {
    const files = ['one', 'two'].map((key) => fileOf({ key }, { name: key, nodes: [], connections: {} }));
    const { documents, errors } = readDocuments('w.yml', 'w.yml', writeDocuments('yaml', files));
    expect(errors).toEqual([]);
    expect(documents.map(({ key, index, name }) => [key, index, name])).toEqual([
      ['one', 0, 'one'],
      ['two', 1, 'two'],
    ]);
  });

  it('has key and active first, sorted keys, nodes in their order, and code as a block', () => {
    const code = 'const a = 1;\nreturn a;\n';
    const value = {
      settings: { b: 1, a: 2 },
      nodes: [
        { type: 't', name: 'Z', parameters: { jsCode: code } },
        { name: 'A', credentials: { apiKey: { id: '7', name: 'Key' } } },
      ],
      name: 'w',
      connections: {},
    };
    expect(writeDocuments('yaml', [fileOf({ active: true, key: 'w' }, credentialsByName(value))])).toBe(
      [
        'key: w',
        'active: true',
        'connections: {}',
        'name: w',
        'nodes:',
        '  - name: Z',
        '    parameters:',
        '      jsCode: |',
        '        const a = 1;',
        '        return a;',
        '    type: t',
        '  - credentials:',
        '      apiKey:',
        '        name: Key',
        '    name: A',
        'settings:',
        '  a: 2',
        '  b: 1',
        '',
      ].join('\n'),
    );
  });

  it('keeps the id of a credential whose name does not identify it', () => {
    const value = { nodes: [{ name: 'A', credentials: { a: { id: '7', name: 'Key' }, b: { id: '8', name: 'Key' } } }] };
    const { nodes: [node] = [] } = credentialsByName(value, (_, type) => type === 'b') as { nodes?: Json[] };
    expect(isObject(node) ? node['credentials'] : undefined).toEqual({
      a: { name: 'Key' },
      b: { id: '8', name: 'Key' },
    });
  });
});
