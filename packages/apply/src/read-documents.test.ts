import { keyOfPath, textOfError } from './document';
import { duplicateKeys, readDocuments } from './read-documents';

const errorOf = (file: string, content: string): string =>
  readDocuments(file, file, content).errors.map(textOfError).join('\n');

describe('a file of workflows', () => {
  it('may be an export without changes: its id and times are not part of the definition', () => {
    const exported = {
      id: 'x1',
      active: true,
      createdAt: '2024',
      name: 'w',
      nodes: [],
      connections: {},
      meta: { a: 1 },
    };
    const { documents } = readDocuments('flows/My Flow.json', 'My Flow.json', `\uFEFF${JSON.stringify(exported)}\r\n`);
    expect(documents).toEqual([
      {
        file: 'flows/My Flow.json',
        index: 0,
        key: 'my-flow',
        hasOwnKey: false,
        id: 'x1',
        active: true,
        name: 'w',
        definition: { name: 'w', nodes: [], connections: {}, meta: { a: 1 } },
      },
    ]);
  });

  it('is named like its file if it has no name', () => {
    const { documents } = readDocuments('a/Orders.json', 'a/Orders.json', '{"nodes":[]}');
    expect(documents[0]).toMatchObject({ name: 'Orders', definition: { name: 'Orders', nodes: [], connections: {} } });
  });

  it.each([
    ['a.json', '{\n  "nodes": [}\n', /^a\.json:2:13: is not valid JSON: Unexpected token '}'\.$/],
    ['a.json', '{ "nodes": [', /^a\.json:1:13: is not valid JSON/],
    ['a.yaml', 'nodes: []\nname: "x\n', /^a\.yaml:\d+:\d+: is not valid YAML/],
    ['a.yaml', 'nodes: []\nnodes: []\n', /^a\.yaml:2:1: is not valid YAML: Map keys must be unique/],
    ['a.yaml', '', /^a\.yaml: is empty/],
    ['a.json', '[]', /^a\.json: is not a workflow: it must be an object/],
    ['a.json', '{"a":1}', /`nodes` must be a list/],
    ['a.json', '{"nodes":[],"key":"A b"}', /`key` must be 1 to 250/],
    ['a.json', '{"nodes":[],"active":"yes"}', /`active` must be true or false/],
    ['a.json', '{"nodes":[],\n"n":12345678901234567890}', /^a\.json:2:5: 12345678901234567890 is beyond 2\^53/],
    ['a.yaml', 'nodes: []\nn: 12345678901234567890', /^a\.yaml:2:4: 12345678901234567890 is beyond 2\^53/],
    ['a.yaml', 'nodes: []\n---\nnodes: []\n', /document 1 needs a `key`/],
    ['漢.json', '{"nodes":[]}', /no character of keys/],
  ])('%s with %j is refused with the place', (file, content, message) => {
    expect(errorOf(file, content)).toMatch(message);
  });

  it('cannot make the reader expand aliases without end', () => {
    const levels = Array.from(
      { length: 12 },
      (_, at) => `a${at}: &a${at} [${'*a'.concat(String(at - 1), ',').repeat(at === 0 ? 0 : 9)}x]`,
    );
    expect(errorOf('a.yaml', `${levels.join('\n')}\nnodes: []\n`)).toMatch(/Excessive alias count/);
  });

  it('reads numbers that are exact, whatever they look like', () => {
    expect(errorOf('a.json', '{"nodes":[],"n":[1e400,1e21,9007199254740992,0.1]}')).toBe('');
  });

  it('must not have a key of another file', () => {
    const read = (file: string) => readDocuments(file, file, '{"nodes":[]}').documents;
    const found = duplicateKeys([...read('A b.json'), ...read('a-b.yaml'), ...read('c.json')]);
    expect(found.map(textOfError)).toEqual(['a-b.yaml: has the key "a-b" of A b.json. Give each its own.']);
  });
});

describe('the key of a path', () => {
  it.each([
    ['Billing/Neue Bestellung.yaml', 'billing/neue-bestellung'],
    ['./a.json', 'a'],
    ['../x/Über_1.yml', 'x/u-ber-1'],
    [`${'a'.repeat(300)}.json`, 'a'.repeat(250)],
  ])('of %s is %s', (path, key) => {
    expect(keyOfPath(path)).toBe(key);
  });
});
