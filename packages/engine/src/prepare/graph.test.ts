import { readDefinition } from '@weft/node-catalogue';
import { ancestorsOf, connectingOutput, descendantsOf } from './graph';
import { prepareWorkflow } from './prepare-workflow';

const to = (...ends: [string, number?][]) => ends.map(([node, index = 0]) => ({ node, type: 'main', index }));
const workflow = prepareWorkflow(
  readDefinition({
    name: 'x',
    nodes: ['S', 'If', 'A', 'B', 'J'].map((name) => ({ name, type: 'test-nodes-base.x' })),
    connections: {
      S: { main: [to(['If'])] },
      If: { main: [to(['A']), to(['B'])] },
      A: { main: [to(['J'])] },
      B: { main: [to(['J', 1], ['If'])] },
    },
  }),
  new Map(),
);

describe('ancestorsOf', () => {
  it('finds every node that can lead there, in loops too, without the node itself', () => {
    expect([...ancestorsOf(workflow, 'A')].sort()).toEqual(['B', 'If', 'S']);
    expect([...ancestorsOf(workflow, 'If')].sort()).toEqual(['B', 'S']);
    expect([...ancestorsOf(workflow, 'S')]).toEqual([]);
  });

  it('names the nearest first', () => {
    const nodes = ['J', 'Y', 'X', 'Z', 'W', 'V'].map((name) => ({ name, type: 'test-nodes-base.x' }));
    const links = { X: 'Y', Y: 'J', V: 'W', W: 'Z', Z: 'J' };
    const connections = Object.fromEntries(Object.entries(links).map(([from, end]) => [from, { main: [to([end])] }]));
    const chains = prepareWorkflow(readDefinition({ name: 'x', nodes, connections }), new Map());
    expect([...ancestorsOf(chains, 'J')]).toEqual(['Y', 'Z', 'X', 'W', 'V']);
  });
});

describe('descendantsOf', () => {
  it('finds every node that it can lead to, the nearest first, in loops too, without the node itself', () => {
    expect([...descendantsOf(workflow, 'S')].slice(0, 1)).toEqual(['If']);
    expect([...descendantsOf(workflow, 'If')].sort()).toEqual(['A', 'B', 'J']);
    expect([...descendantsOf(workflow, 'J')]).toEqual([]);
  });
});

describe('connectingOutput', () => {
  it('returns the output on the shortest path', () => {
    expect(connectingOutput(workflow, 'If', 'A')).toBe(0);
    expect(connectingOutput(workflow, 'If', 'B')).toBe(1);
    expect(connectingOutput(workflow, 'If', 'J')).toBe(0);
    expect(connectingOutput(workflow, 'A', 'B')).toBeUndefined();
  });
});
