import { parseDefinition } from './parse-definition';

/** A definition of about a megabyte, which is parsed in several slices. */
const large = (name: string): Buffer => {
  const rows = Array.from({ length: 40_000 }, (_, id) => ({ id, name: `row ${id}` }));
  const node = { id: '1', name: 'Rows', type: 'weft-nodes-base.set', position: [0, 0], parameters: { rows } };
  return Buffer.from(JSON.stringify({ name, nodes: [node], connections: {}, settings: {} }));
};

describe('a definition', () => {
  it('that is long is parsed in slices, so that another sender waits for at most one slice', async () => {
    const ends: string[] = [];
    const send = async (sender: string, name: string): Promise<void> => {
      const parsed = await parseDefinition(large(name), sender);
      ends.push(parsed.name);
    };
    await Promise.all([
      ...['first', 'second', 'third', 'fourth'].map((name) => send('hostile', name)),
      send('healthy', 'ours'),
    ]);
    expect(ends.indexOf('ours')).toBeLessThanOrEqual(1);
    expect(ends).toHaveLength(5);
  });

  it('that is not JSON is refused by the name of its field', async () => {
    await expect(parseDefinition(Buffer.from('{'), 'a')).rejects.toMatchObject({
      fields: [{ field: 'definition', message: expect.stringContaining('JSON') }],
    });
  });

  it.each([
    ['too many levels', `${'['.repeat(100)}${']'.repeat(100)}`, 'levels'],
    ['a key that reaches into JavaScript objects', '{"__proto__":{}}', 'key'],
  ])('with %s is refused', async (_, parameters, message) => {
    const text = `{"name":"n","connections":{},"nodes":[{"name":"A","type":"t","parameters":{"a":${parameters}}}]}`;
    await expect(parseDefinition(Buffer.from(text), 'a')).rejects.toMatchObject({
      fields: [{ message: expect.stringContaining(message) }],
    });
  });
});
