import fc from 'fast-check';
import { compileParameter, evaluate, ExpressionError } from '@weft/expressions';
import { isForbiddenName } from '@weft/expressions/syntax';
import { fixedScope } from '@weft/expressions/testing';
import { openDocument, type WorkflowDocument } from '../document';
import { EditError } from '../edit-error';
import { renameNode } from '../operations/rename-node';
import { anyName, chain, documentOf, nodeOf, sample, SAMPLE } from '../testing/sample';
import { findOpenReferences, findReferences, nodesReadBy } from './find-references';
import { referencesIn } from './find-in-text';

const found = (text: string, language: 'expression' | 'code' = 'expression'): string[] =>
  referencesIn(text, language).references.map(({ node, start, end }) => `${node}: ${text.slice(start, end)}`);

describe('references of an expression', () => {
  it.each([
    [`={{ $('A').item.json.x }}`, [`A: 'A'`]],
    [`={{ $("A").first().json.x + $(\`B\`).last() }}`, ['A: "A"', 'B: `B`']],
    [`={{ $node["A"].json.x + $node.B.json }}`, ['A: "A"', 'B: .B']],
    [`={{ $node?.A?.json, $node?.["B"] }}`, ['A: ?.A', 'B: "B"']],
    [`={{ $node /* .X */ . /* . */ A.json }}`, ['A: . /* . */ A']],
    [`={{ $items("A", 0, 1)[0].json }}`, ['A: "A"']],
    [`={{ $item(0).$node["A"].json + $item(1).$('B').item }}`, ['A: "A"', "B: 'B'"]],
    [`=text {{ $('A').item }} and {{ $('B').item }}`, [`A: 'A'`, `B: 'B'`]],
    [`={{ "\\}}" + $('A').item }}`, [`A: 'A'`]],
    [`={{ $(1).item }}`, ['1: 1']],
    [`={{ [1].map((x) => $('A').item.json[x]) }}`, [`A: 'A'`]],
  ])('are found with their places: %s', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each([
    `$('A').item`,
    `= $('A') without braces`,
    `={{ "$('A')" }}`,
    `={{ /* $('A') */ 1 }}`,
    `={{ \`$('A')\` }}`,
    `={{ $json.$node.A }}`,
    `={{ ({ $: 'A', $node: { A: 1 } }).$node.A }}`,
    `={{ $('A' }}`,
    `={{ (($) => $('A'))((x) => x) }}`,
    `={{ $jmespath($json, "$('A')") }}`,
  ])('are not what only looks like one: %s', (text) => {
    expect(found(text)).toEqual([]);
  });

  it.each([
    `={{ $($json.name).item }}`,
    `={{ $node[$json.x] }}`,
    `={{ Object.keys($node) }}`,
    `={{ $evaluateExpression("{{ $('A').item }}") }}`,
  ])('that are computed are listed as open: %s', (text) => {
    expect(found(text)).toEqual([]);
    expect(referencesIn(text, 'expression').open.length).toBe(1);
    expect(nodesReadBy(text)).toBe('all');
  });

  it('tell a preview which data it needs', () => {
    expect(nodesReadBy(`={{ $('A').item + $node.B.json + $json.c }}`)).toEqual(new Set(['A', 'B']));
    expect(nodesReadBy('no expression')).toEqual(new Set());
  });
});

describe('references of code', () => {
  it('are found, and not those of variables with the same names', () => {
    const code = [
      `const items = $("A").all(); // $("C")`,
      `const inner = () => { const $node = {}; return $node["D"]; };`,
      `for (const $ of [String]) $("E");`,
      `function f($items) { return $items("F"); }`,
      `return await $node["B"].json;`,
    ].join('\n');
    expect(found(code, 'code')).toEqual(['A: "A"', 'B: "B"']);
  });

  it('do not exist if a declaration covers the whole text, or the text does not parse', () => {
    expect(found(`if (x) { var $ = (y) => y; } return $('A');`, 'code')).toEqual([]);
    expect(found(`return $('A'`, 'code')).toEqual([]);
  });

  it('are found in the parameters of Code nodes, and only there without braces', () => {
    const code = nodeOf('Code', { jsCode: `return $('A').all()`, other: `$('A')` }, { type: 'n8n-nodes-base.code' });
    const older = nodeOf('F', { functionCode: `return $items("A")` }, { type: 'n8n-nodes-base.function' });
    const document = documentOf({ nodes: [code, older, nodeOf('A', { jsCode: `$('A')`, x: [`={{ $('A') }}`] })] });
    expect(findReferences(document).map(({ owner, path }) => [owner, path.slice(3)])).toEqual([
      ['Code', ['jsCode']],
      ['F', ['functionCode']],
      ['A', ['x', 0]],
    ]);
    expect(findOpenReferences(documentOf({ nodes: [nodeOf('A', { x: '={{ $($json.y) }}' })] }))).toMatchObject([
      { owner: 'A', path: ['nodes', 0, 'parameters', 'x'] },
    ]);
  });
});

describe('a renamed node', () => {
  it('takes its links, pins, state and references along, and no other byte', () => {
    const { document } = renameNode(sample(), 'Set', 'It\'s "new"');
    expect(document.text).toBe(
      SAMPLE.replace('"name": "Set"', '"name": "It\'s \\"new\\""')
        .replace('{"node": "Set"', '{"node": "It\'s \\"new\\""')
        .replace('"Set": { "main"', '"It\'s \\"new\\"": { "main"')
        .replace('{"Set": [{"json"', '{"It\'s \\"new\\"": [{"json"')
        .replace('{"node:Set"', '{"node:It\'s \\"new\\""')
        .replace(
          '$node[\\"Set\\"].json.y + $node.Set.json.y',
          // In the literal \\\\\\" is a backslash and a quote of the expression.
          '$node[\\"It\'s \\\\\\"new\\\\\\"\\"].json.y + $node[\\"It\'s \\\\\\"new\\\\\\"\\"].json.y',
        ),
    );
  });

  it('keeps the other characters of a string as they are escaped', () => {
    const text = `{"nodes":[{"name":"A"},{"name":"B","parameters":{"x":"={{ $('A').item }} caf\\u00e9 \\/"}}]}`;
    expect(renameNode(openDocument(text), 'A', 'C').document.text).toBe(
      text.replace('"A"', '"C"').replace("'A'", "'C'"),
    );
  });

  it('may not take the name of another one, and may keep its own', () => {
    expect(() => renameNode(sample(), 'Set', 'If')).toThrow(expect.objectContaining({ code: 'NAME_TAKEN' }));
    expect(renameNode(sample(), 'Set', 'Set').edit.changes).toEqual([]);
  });

  it('may not get a name that an expression cannot read after a dot or in brackets', () => {
    expect(() => renameNode(sample(), 'Set', 'constructor')).toThrow(
      expect.objectContaining({ code: 'UNSAFE_RENAME' }),
    );
  });

  const inSingleQuotes = (name: string): string =>
    `$('${name.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}')`;

  const templates: readonly ((name: string) => string)[] = [
    (name) => `={{ $(${JSON.stringify(name)}).item.json.x }}`,
    (name) => `={{ ${inSingleQuotes(name)}.first().json.x }} and text`,
    (name) => `=a{{ $node[${JSON.stringify(name)}].json.x }}b{{ $json.own }}`,
    (name) => `={{ $items(${JSON.stringify(name)}).map((item) => item.json.x).join('}}') }}`,
    (name) => `={{ $item(0).$node[${JSON.stringify(name)}].json.x }}`,
    () => '={{ $node.plain.json.x }}',
    () => '={{ "\\}}" + $("plain").item.json.x }}',
    (name) => `={{ ["$(" + ${JSON.stringify(name)} + ")", $json.own] }}`,
  ];

  /** Evaluates every expression of node `Reader` where each node's only item holds its id. */
  const evaluateAll = (document: WorkflowDocument): unknown[] => {
    const byName = Object.fromEntries(document.definition.nodes.map((node) => [node.name, [{ x: node.id }]]));
    const scope = fixedScope({ items: [{ own: 1 }], nodes: byName });
    return Object.values(document.node('Reader').parameters).map((value) => {
      try {
        return evaluate(compileParameter(value), scope);
      } catch (error) {
        if (error instanceof ExpressionError) return `${error.type}: ${error.message}`;
        throw error;
      }
    });
  };

  it('leaves every evaluation unchanged', () => {
    fc.assert(
      fc.property(anyName, anyName, fc.subarray([...templates], { minLength: 1 }), (from, to, chosen) => {
        // No expression can read such a name of a member, so a rename of the node repairs it.
        fc.pre(
          !isForbiddenName(from) && ![from, to].includes('Reader') && ![from, to].includes('plain') && from !== to,
        );
        const texts = chosen.map((template) => template(from));
        const parameters = Object.fromEntries(texts.map((text, index) => [`p${index}`, text]));
        const document = documentOf({
          nodes: [nodeOf(from), nodeOf('plain'), nodeOf('Reader', parameters)],
          connections: chain(from, 'plain', 'Reader'),
        });
        const before = evaluateAll(document);
        try {
          expect(evaluateAll(renameNode(document, from, to).document)).toEqual(before);
          expect(evaluateAll(renameNode(document, 'plain', to).document)).toEqual(before);
        } catch (error) {
          // Such names are refused, whole.
          if (!(error instanceof EditError)) throw error;
          expect([error.code, isForbiddenName(to)]).toEqual(['UNSAFE_RENAME', true]);
        }
      }),
      { numRuns: 200 },
    );
  });
});
