import { readSource } from './read-source';

const nodesOf = (code: string): string[] | 'all' => {
  const { nodes } = readSource(code);
  return nodes === 'all' ? nodes : [...nodes];
};

describe('reading code', () => {
  it.each([
    ["return $('A b').all()", ['A b']],
    ['$("x").item.json.y + $input.item.json.z', ['x']],
    ["$node['x'].json; $node.Y.json; $items('z', 0, 1)", ['x', 'Y', 'z']],
    ['$item(0).$node["Z"].json', ['Z']],
    ['return $items().concat($input.all())', []],
    ['return /foo$/.test(`${a}`) ? { $: 1, $node: 2 } : b.$', []],
    ["// $('comment')\nreturn `$('text')`", []],
    ['$(`plain`)', ['plain']],
  ])('finds the nodes that it references: %s', (code, nodes) => {
    expect(nodesOf(code)).toEqual(nodes);
  });

  it.each([
    '$(name)',
    '$node[name]',
    '$(`a${b}`)',
    'const get = $; get("x")',
    'const { x } = $node',
    'eval("x")',
    'globalThis["$"]("x")',
    'return { $ }',
    '[1].map($items)',
    'return [[',
  ])('includes all nodes if the names cannot be determined: %s', (code) => {
    expect(nodesOf(code)).toBe('all');
  });

  it('finds the requested outputs and runs', () => {
    expect(readSource("$('x').all(1); $('x').first(0, -1); $items('y'); $('x').last(undefined, 2)").outputs).toEqual([
      { output: 1, run: undefined },
      { output: 0, run: -1 },
      { output: 0, run: -1 },
      { output: undefined, run: 2 },
    ]);
    expect(readSource("$('x').all(i)").outputs).toBe('any');
    expect(readSource("$('x').all()").outputs).toEqual([]);
  });

  it('detects whether the content of files is read', () => {
    expect(
      ['items[0].binary.data.data', '$binary.a.data', 'this.helpers.getBinaryDataBuffer(0, "a")'].map(
        (code) => readSource(code).readsFiles,
      ),
    ).toEqual([true, true, true]);
    expect(['items[0].binary', 'item.json.data', 'a.data.binary'].map((code) => readSource(code).readsFiles)).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('preserves line numbers', () => {
    const { text } = readSource('try {\n  a()\n} catch (error) { b(error) }');
    expect(text.split('\n')).toEqual(['(async function () {try {', '  a()', '} catch (error) { b(error) }', '})']);
  });

  it('does not fail on excessively nested code', () => {
    expect(nodesOf(`return ${'['.repeat(50_000)}${']'.repeat(50_000)}`)).toBe('all');
  });

  it('caches its results', () => {
    const code = 'return $("kept").all()';
    expect(readSource(code)).toBe(readSource(code));
  });
});
