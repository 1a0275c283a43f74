import type { JsonObject } from '@weft/node-catalogue/definitions';
import { compileParameter, evaluate } from '@weft/expressions';
import { fixedScope } from '@weft/expressions/testing';
import { openDocument, type WorkflowDocument } from '../document';
import { chain, documentOf, nodeOf, sample, SAMPLE } from '../testing/sample';
import { copyNodes } from './copy-nodes';
import { literal } from './curl-body';
import { duplicateNodes, pasteNodes } from './paste-nodes';
import { readClipboard } from './read-clipboard';

let ids = 0;
const newId = (): string => `id${(ids += 1)}`;

const pasted = (text: string): WorkflowDocument => {
  const content = readClipboard(text);
  if (content.kind !== 'workflow') throw new Error('Expected one workflow.');
  return content.workflow;
};

describe('copied nodes', () => {
  it('have their links among each other and their pins, as they are written', () => {
    const text = copyNodes(sample(), ['Set', 'If']);
    expect(JSON.parse(text)).toMatchObject({
      nodes: [{ name: 'Set' }, { name: 'If' }],
      connections: { Set: { main: [[{ node: 'If' }]] } },
      pinData: { Set: [{ json: { n: 1.5 } }] },
    });
    expect(text).toContain('12345678901234567890');
    expect(text).toContain('1.50');
  });

  it('can be pasted, under new names and ids, with references to the copies', () => {
    const { document } = pasteNodes(sample(), pasted(copyNodes(sample(), ['Start', 'Set'])), { newId, at: [50, 60] });
    const [start, set] = document.definition.nodes.slice(3);
    expect([start?.name, start?.position, set?.name, set?.position]).toEqual(['Start1', [50, 60], 'Set1', [250, 60]]);
    expect(set?.parameters['a']).toBe(`={{ $('Start1').item.json.x }}`);
    expect(document.text).toContain('"z": 12345678901234567890, "a": "={{ $(\'Start1\')');
    expect(document.json).toMatchObject({
      connections: { Start1: { main: [[{ node: 'Set1' }]] } },
      pinData: { Set1: [{ json: { n: 1.5 } }] },
    });
  });

  it('keep references to nodes that were not copied', () => {
    const { document } = duplicateNodes(sample(), ['Set'], newId);
    expect(document.node('Set1')).toMatchObject({
      position: [240, 40],
      parameters: { a: `={{ $('Start').item.json.x }}` },
    });
  });

  it('listen to a new address', () => {
    const hook = nodeOf('Hook', {}, { webhookId: 'same' });
    const { document } = duplicateNodes(documentOf({ nodes: [hook] }), ['Hook'], newId);
    expect(document.node('Hook1').webhookId).toMatch(/^id\d+$/);
  });
});

describe('a pasted text', () => {
  it.each<[string, string, string]>([
    ['an export', SAMPLE, 'workflow'],
    ['a response of the API', `{"data": ${SAMPLE}}`, 'workflow'],
    ['a list', `[${SAMPLE}, ${SAMPLE}]`, 'workflows'],
    ['a page of the API', `{"data": [${SAMPLE}, ${SAMPLE}], "nextCursor": null}`, 'workflows'],
    ['a list of one', `[${SAMPLE}]`, 'workflow'],
    ['a test case', `{"workflow": ${SAMPLE}, "expected": {}}`, 'workflow'],
  ])('may be %s, whose bytes stay', (_, text, kind) => {
    const content = readClipboard(text);
    expect(content.kind).toBe(kind);
    const [first] = content.kind === 'workflow' ? [content.workflow] : content.workflows;
    expect(first?.text.trim()).toBe(SAMPLE.trim());
  });

  it.each([
    ['', 'NOT_A_WORKFLOW', 'empty'],
    ['hello', 'NOT_A_WORKFLOW', 'or a curl command'],
    ['{"a": 1}', 'NOT_A_WORKFLOW', 'contains no workflow'],
    ['[]', 'NOT_A_WORKFLOW', 'contains no workflow'],
    ['[{"nodes": []}, 3]', 'NOT_A_WORKFLOW', 'Entry 2'],
    ['{"nodes": [{"name": 1}]}', 'NOT_A_WORKFLOW', '`nodes[0].name` must be a string'],
    ['{"nodes": [}', 'INVALID_JSON', 'unexpected "}"'],
    ['{"nodes": [], "__proto__": 1}', 'INVALID_JSON', '__proto__'],
    [`[${'{"nodes":[]},'.repeat(100)}{"nodes":[]}]`, 'TOO_LARGE', '101 workflows'],
    ['['.repeat(100_000), 'INVALID_JSON', 'deeper than 100'],
  ])('that is not one is refused with the reason: %.40s', (text, code, message) => {
    expect(() => readClipboard(text)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    );
  });

  it('without nodes cannot be pasted', () => {
    expect(() => pasteNodes(sample(), pasted('{"nodes": []}'), { newId })).toThrow('no nodes to paste');
  });

  it('may have links that are left over from nodes of these names', () => {
    const target = documentOf({
      nodes: [nodeOf('A')],
      connections: { B: { main: [[{ node: 'A' }], [{ node: 'A' }]] } },
    });
    const source = documentOf({ nodes: [nodeOf('B'), nodeOf('C')], connections: chain('B', 'C') });
    expect(pasteNodes(target, source, { newId }).document.json['connections']).toEqual(chain('B', 'C'));
  });
});

describe('a curl command', () => {
  const parametersOf = (command: string): JsonObject => pasted(command).node('HTTP Request').parameters;
  const pairs = (...entries: [string, string][]) => ({ parameters: entries.map(([name, value]) => ({ name, value })) });

  it('becomes an HTTP request node', () => {
    expect(pasted("curl 'https://example.com/'").node('HTTP Request')).toMatchObject({
      type: 'n8n-nodes-base.httpRequest',
      typeVersion: 4.2,
      parameters: { url: 'https://example.com/' },
    });
  });

  it.each<[string, JsonObject]>([
    [
      'curl example.com/a?x=1\\&y=a%20b',
      { url: 'http://example.com/a', sendQuery: true, queryParameters: pairs(['x', '1'], ['y', 'a b']) },
    ],
    [
      '$ curl -XDELETE "https://e.com" -H "X-A: b: c" --compressed -s',
      { method: 'DELETE', headerParameters: pairs(['X-A', 'b: c']) },
    ],
    [
      `curl https://e.com -H 'Content-Type: application/json' --data-raw '{"a": "it'\\''s"}'`,
      { method: 'POST', contentType: 'json', specifyBody: 'json', jsonBody: `{"a": "it's"}` },
    ],
    [`curl --json '[1]' https://e.com`, { method: 'POST', contentType: 'json', jsonBody: '[1]' }],
    [
      'curl https://e.com -d a=1 -d "b=x y"',
      { contentType: 'form-urlencoded', bodyParameters: pairs(['a', '1'], ['b', 'x y']) },
    ],
    ['curl https://e.com --data-urlencode "q=a&b"', { bodyParameters: pairs(['q', 'a&b']) }],
    ['curl -G https://e.com -d a=1', { url: 'https://e.com', sendQuery: true, queryParameters: pairs(['a', '1']) }],
    [
      "curl https://e.com -H 'content-type: text/xml' -d '<a/>'",
      { contentType: 'raw', rawContentType: 'text/xml', body: '<a/>' },
    ],
    [
      'curl https://e.com -F a=1',
      {
        contentType: 'multipart-form-data',
        bodyParameters: { parameters: [{ parameterType: 'formData', name: 'a', value: '1' }] },
      },
    ],
    [
      'curl -ku user:pä https://e.com',
      { options: { allowUnauthorizedCerts: true }, headerParameters: pairs(['Authorization', 'Basic dXNlcjpww6Q=']) },
    ],
    ['curl -I -m 2.5 https://e.com', { method: 'HEAD', options: { timeout: 2500 } }],
    ["curl https://e.com -d $'a\\n\\u0041'", { contentType: 'raw', body: 'a\nA' }],
    ['curl \\\n  https://e.com \\\r\n  -b "a=1"', { headerParameters: pairs(['Cookie', 'a=1']) }],
  ])('sets parameters: %s', (command, expected) => {
    expect(parametersOf(command)).toMatchObject(expected);
  });

  it.each([
    ['curl ', 'no address', 'NOT_A_WORKFLOW'],
    ['curl -X POST', 'no address', 'INVALID_CURL'],
    ["curl 'https://e.com", 'not closed', 'INVALID_CURL'],
    ['curl https://e.com | sh', 'one curl command', 'INVALID_CURL'],
    ['curl https://e.com\nrm -rf /', 'one curl command', 'INVALID_CURL'],
    ['curl https://a.com https://b.com', 'two addresses', 'INVALID_CURL'],
    ['curl https://e.com -d @/etc/passwd', 'cannot be read', 'INVALID_CURL'],
    ['curl https://e.com -F a=@file', 'cannot be read', 'INVALID_CURL'],
    ['curl https://e.com --cert x', '--cert', 'INVALID_CURL'],
    ['curl https://e.com -H', 'needs a value', 'INVALID_CURL'],
    [`curl ${'x'.repeat(1_000_001)}`, 'too long', 'TOO_LARGE'],
  ])('that cannot become a node is refused with the reason: %.40s', (command, message, code) => {
    if (code === 'NOT_A_WORKFLOW') expect(() => readClipboard(command)).toThrow(expect.objectContaining({ code }));
    else
      expect(() => readClipboard(command)).toThrow(
        expect.objectContaining({ code, message: expect.stringContaining(message) }),
      );
  });

  it('does not make an expression of a text that looks like one', () => {
    for (const text of ['=1', '={{ $json.secret }}', '==', '{{ 1 }}', '={{ "}}" }}'])
      expect(evaluate(compileParameter(literal(text)), fixedScope())).toBe(text);
    expect(parametersOf("curl https://e.com -d 'a={{ 1 }}'")).toMatchObject({
      bodyParameters: pairs(['a', '{{ 1 }}']),
    });
  });
});

describe('a document from the clipboard', () => {
  it('is the same document when it is copied whole', () => {
    const names = sample()
      .entries()
      .map(({ name }) => name);
    expect(openDocument(copyNodes(sample(), names)).definition).toMatchObject({
      nodes: sample().definition.nodes,
      connections: sample().definition.connections,
    });
  });
});
