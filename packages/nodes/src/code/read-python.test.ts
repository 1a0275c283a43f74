import { readPython } from './read-python';

describe('reading Python', () => {
  const nodesOf = (code: string): unknown => {
    const { nodes } = readPython(code, true);
    return nodes === 'all' ? nodes : [...nodes];
  };

  it('finds the nodes that are named by literals', () => {
    expect(nodesOf(`a = _('First node').first().json\nreturn _("Other").item`)).toEqual(['First node', 'Other']);
  });

  it.each([
    'for _ in range(3):\n  pass',
    'for _, value in pairs:\n  pass',
    'a, _ = pair',
    '_ = 1',
    'lambda _: 1',
    'x_ = a._',
  ])('does not take a variable that is not read for a node: %s', (code) => {
    expect(nodesOf(code)).toEqual([]);
  });

  it.each([
    'return _(name)',
    'get = _\nreturn get("A")',
    'return _node["A"]',
    'return _items("A")',
    'eval("_")',
    '_(f"{a}")',
  ])('lets code with computed names ask for all nodes: %s', (code) => {
    expect(nodesOf(code)).toBe('all');
  });

  it('asks for no node in the dialect that sees only its items', () => {
    expect(readPython('return _("A")', false).nodes).toEqual(new Set());
  });

  it('finds properties however they are written', () => {
    const { properties } = readPython('_("A").params["url"]\n_.context', true);
    for (const name of ['params', 'context', 'url']) expect(properties).toContain(name);
  });

  it('asks for outputs only if the code may choose one', () => {
    expect(readPython('_("A").all(1)', true).outputs).toBe('any');
    expect(readPython('_("A").all()', true).outputs).toEqual([]);
  });

  it.each([
    ['item.binary.data.data', true],
    ['item["binary"]["file"]["data"]', true],
    ['{"json": {}, "binary": item.binary}', false],
    ['item.json.data', false],
  ])('reads files only for code that names their content: %s', (code, reads) => {
    expect(readPython(code, true).readsFiles).toBe(reads);
  });
});
