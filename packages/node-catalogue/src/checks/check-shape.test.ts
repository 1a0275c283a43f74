import type { Json, JsonObject } from '@weft/service-kit/json';
import { checkShape, MAX_FIELD_ERRORS } from './check-shape';

const node = (over: JsonObject = {}): JsonObject => ({
  name: 'A',
  type: 'weft-nodes-base.noOp',
  position: [0, 0],
  parameters: {},
  ...over,
});
const workflow = (over: JsonObject = {}): JsonObject => ({ name: 'Orders', nodes: [node()], connections: {}, ...over });
const paths = (value: Json | undefined): string[] => checkShape(value).map((error) => error.field);

describe('checkShape', () => {
  it('accepts a workflow with all required fields', () => {
    expect(checkShape(workflow({ settings: { executionOrder: 'v1' }, pinData: {} }))).toEqual([]);
  });

  it(
    'lets pass what exported workflows hold: links to nowhere, empty outputs, copies of a node, nodes without ' +
      'place',
    () => {
      const nodes = [node({ id: '1' }), node({ id: '2' }), { name: 'B', type: 'x.y' }];
      const connections = { A: { main: [null, [{ node: 'gone', type: 'main', index: 0 }]] }, gone: { main: [[]] } };
      expect(checkShape(workflow({ nodes, connections }))).toEqual([]);
    },
  );

  it.each<[string, Json | undefined, string]>([
    ['no object', [], ''],
    ['nothing', undefined, ''],
    ['no name', { nodes: [], connections: {} }, 'name'],
    ['nodes that are not a list', workflow({ nodes: {} }), 'nodes'],
    ['a node that is a string', workflow({ nodes: ['A'] }), 'nodes[0]'],
    ['a node without a name', workflow({ nodes: [node({ name: '' })] }), 'nodes[0].name'],
    ['a node without a type', workflow({ nodes: [node({ type: 7 })] }), 'nodes[0].type'],
    ['a place with three numbers', workflow({ nodes: [node({ position: [1, 2, 3] })] }), 'nodes[0].position'],
    ['parameters that are a list', workflow({ nodes: [node({ parameters: [] })] }), 'nodes[0].parameters'],
    ['two different nodes of one name', workflow({ nodes: [node(), node({ parameters: { a: 1 } })] }), 'nodes[1].name'],
    ['connections that are a list', workflow({ connections: [] }), 'connections'],
    ['an output that is a number', workflow({ connections: { A: { main: [3] } } }), 'connections["A"].main[0]'],
    [
      'a link without a target',
      workflow({ connections: { A: { main: [[{ index: 0 }]] } } }),
      'connections["A"].main[0][0].node',
    ],
    [
      'a link to a huge input',
      workflow({ connections: { A: { main: [[{ node: 'A', index: 1e9 }]] } } }),
      'connections["A"].main[0][0].index',
    ],
    ['settings that are a string', workflow({ settings: 'v1' }), 'settings'],
  ])('refuses %s with its path', (_, value, path) => {
    expect(paths(value)).toEqual([path]);
  });

  it('reports a bounded number of errors', () => {
    expect(checkShape(workflow({ nodes: Array.from({ length: 500 }, () => 1) }))).toHaveLength(MAX_FIELD_ERRORS);
  });
});
