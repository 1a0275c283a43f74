import { type KindDescriptor, readDefinition } from '@weft/node-catalogue/definitions';
import { drawPicture } from './draw-picture';

const kind = (name: string, more: Partial<KindDescriptor>): [string, KindDescriptor] => [
  name,
  {
    kind: name,
    label: `Label of ${name}`,
    description: '',
    versions: [1],
    groups: [],
    isTrigger: false,
    inputs: ['main'],
    outputs: ['main'],
    credentials: [],
    parameters: [],
    ...more,
  },
];
const kinds = new Map([
  kind('webhook', { isTrigger: true, inputs: [] }),
  kind('if', { outputs: ['true', 'false'] }),
  kind('stickyNote', { neverRuns: true, inputs: [], outputs: [] }),
]);
const node = (name: string, type: string, x: number) => ({
  name,
  type: `weft-nodes-base.${type}`,
  typeVersion: 1,
  position: [x, 0],
  parameters: {},
});
const link = (target: string) => [{ node: target, type: 'main', index: 0 }];
const picture = drawPicture(
  readDefinition({
    name: 'Loop <1>',
    nodes: [
      node('In', 'webhook', 0),
      node('A & B?', 'if', 300),
      node('Note', 'stickyNote', 600),
      node('Far', 'x', 600),
    ],
    connections: {
      In: { main: [link('A & B?')] },
      'A & B?': { main: [link('Far'), link('Nowhere')] },
      Far: { main: [link('A & B?')] },
    },
  }),
  kinds,
);

describe('the picture of a workflow', () => {
  it('shows each node with its kind, and no note', () => {
    expect(picture).toContain('>A &amp; B?<');
    expect(picture).toContain('>Label of if<');
    expect(picture).toContain('>x<');
    expect(picture).not.toContain('Note');
    expect(picture.match(/class="node/g)).toHaveLength(3);
    expect(picture.match(/class="node trigger"/g)).toHaveLength(1);
  });

  it('shows each link between nodes that exist, and labels of several outputs', () => {
    expect(picture.match(/class="line"/g)).toHaveLength(3);
    expect(picture).toContain('>true<');
    expect(picture).toContain('>false<');
  });

  it('escapes the names of a file, which anyone may have written', () => {
    expect(picture).toContain('Loop &lt;1&gt;');
    expect(picture).not.toMatch(/<1>|A & B/);
  });
});
