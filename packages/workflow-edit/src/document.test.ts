import fc from 'fast-check';
import { openDocument } from './document';
import { setParameter } from './operations/node-fields';
import { anyJson, documentOf, nodeOf, sample, SAMPLE } from './testing/sample';

describe('a document', () => {
  it('keeps its text, and parses it once', () => {
    expect(sample().text).toBe(SAMPLE);
    expect(sample().definition.nodes.map(({ name }) => name)).toEqual(['Start', 'Set', 'If']);
  });

  it('may begin with a byte order mark, which it keeps', () => {
    const document = openDocument(`\ufeff${SAMPLE}`);
    const { document: edited } = setParameter(document, 'Set', ['a2'], 'tea');
    expect(edited.text).toBe(`\ufeff${SAMPLE.replace('"caf\\u00e9"', '"tea"')}`);
  });

  it.each([
    ['', 'INVALID_JSON', 'ends too early'],
    ['{"nodes": [}', 'INVALID_JSON', 'unexpected "}" on line 1'],
    ['[]', 'NOT_A_WORKFLOW', 'array `nodes`'],
    ['{"nodes": {}}', 'NOT_A_WORKFLOW', 'array `nodes`'],
    [`{"nodes": [], "x": ${'['.repeat(200)}`, 'INVALID_JSON', 'deeper than 100'],
    ['{"nodes": [], "__proto__": {}}', 'INVALID_JSON', '`__proto__`'],
    ['{"nodes": [], "__pr\\u006fto__": {}}', 'INVALID_JSON', '`__proto__`'],
    ['{"nodes": [], "x": 1e400}', 'INVALID_JSON', 'too large, at the key "x"'],
    [`"${'x'.repeat(10_000_001)}"`, 'INVALID_JSON', 'more than 10,000,000 characters'],
  ])('is refused with the reason: %.40s', (text, code, message) => {
    expect(() => openDocument(text)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    );
  });

  it('may contain that word, and brackets, as values', () => {
    expect(openDocument(`{"nodes": [], "a": "__proto__", "b": "${'['.repeat(200)}"}`).json['a']).toBe('__proto__');
  });
});

describe('an edited parameter', () => {
  it('changes its span and no other byte', () => {
    const { document } = setParameter(sample(), 'Set', ['list', 2, 'k'], 'w');
    expect(document.text).toBe(SAMPLE.replace('{"k": "v"}', '{"k": "w"}'));
  });

  it('that gets the value that it has changes nothing, in whatever form that is written', () => {
    const { document, edit } = setParameter(sample(), 'Set', [], {
      z: 12345678901234567890,
      a: "={{ $('Start').item.json.x }}",
      a2: 'café',
      list: [1, 2, { k: 'v' }],
    });
    expect(edit.changes).toEqual([]);
    expect(document.text).toBe(SAMPLE);
  });

  it('in a list or object leaves its other entries as they are written', () => {
    const { document } = setParameter(sample(), 'Set', ['list'], [1, 2, { k: 'v', l: 1 }, 4]);
    expect(document.text).toBe(SAMPLE.replace('[1, 2.0, {"k": "v"}]', '[1, 2.0, {"k": "v","l":1}, 4]'));
  });

  it('is laid out like what is around it', () => {
    const document = documentOf({ nodes: [nodeOf('A', { x: 1 })] }, 2);
    const { text } = setParameter(document, 'A', ['y'], { z: [1] }).document;
    expect(text).toBe(JSON.stringify(JSON.parse(text), undefined, 2));
    const compact = documentOf({ nodes: [nodeOf('A', { x: 1 })] }, 0);
    const { text: oneLine } = setParameter(compact, 'A', ['y'], { z: [1] }).document;
    expect(oneLine).toBe(JSON.stringify(JSON.parse(oneLine)));
  });

  it('changes all nodes of that name, and of equal keys the one that counts', () => {
    const twice = openDocument('{"nodes":[{"name":"A","parameters":{"x":0,"x":1}},{"name":"A","parameters":{"x":1}}]}');
    expect(setParameter(twice, 'A', ['x'], 2).document.text).toBe(
      '{"nodes":[{"name":"A","parameters":{"x":0,"x":2}},{"name":"A","parameters":{"x":2}}]}',
    );
    expect(setParameter(twice, 'A', ['x'], undefined).document.json).toEqual({
      nodes: [
        { name: 'A', parameters: {} },
        { name: 'A', parameters: {} },
      ],
    });
  });

  it.each([
    [['z', 'inner'], 'not an object'],
    [['a', 0], 'not an array'],
    [['list', 9], 'has 3 entries'],
    [['list', -1], 'has 3 entries'],
    [['__proto__'], 'may not be called'],
  ])('is refused at a path that leads nowhere: %j', (path, message) => {
    expect(() => setParameter(sample(), 'Set', path, 1)).toThrow(
      expect.objectContaining({ code: 'INVALID_VALUE', message: expect.stringContaining(message) }),
    );
  });

  it('has the value that it was given, whatever was there, in any layout', () => {
    fc.assert(
      fc.property(anyJson, anyJson, fc.constantFrom(0, 1, 2, 4, '\t'), fc.boolean(), (before, after, space, isCrLf) => {
        const made = documentOf({ nodes: [nodeOf('A', { before: [], x: before, y: 1 }), nodeOf('B')] }, space);
        const document = isCrLf ? openDocument(made.text.replaceAll('\n', '\r\n')) : made;
        const changed = setParameter(document, 'A', ['x'], after).document;
        expect(changed.json).toEqual(
          documentOf({ nodes: [nodeOf('A', { before: [], x: after, y: 1 }), nodeOf('B')] }).json,
        );
        expect(JSON.parse(changed.text)).toEqual(changed.json);
      }),
    );
  });
});
