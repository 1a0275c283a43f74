import { readDefinition } from '@weft/node-catalogue';
import { startNodeOf } from './start-node';

const of = (...nodes: [string, string, boolean?][]) =>
  readDefinition({
    name: 'x',
    connections: {},
    nodes: nodes.map(([name, kind, disabled = false]) => ({ name, type: `weft-nodes-base.${kind}`, disabled })),
  });

describe('startNodeOf', () => {
  it('is the named node, whatever its kind', () => {
    expect(startNodeOf(of(['A', 'manualTrigger'], ['B', 'set']), 'B')).toMatchObject({
      kind: 'found',
      node: { name: 'B' },
    });
  });

  it('explains why a named node cannot be used', () => {
    expect(startNodeOf(of(['A', 'set']), 'Z')).toEqual({ kind: 'unknown-node', name: 'Z' });
    expect(startNodeOf(of(['A', 'set', true]), 'A')).toEqual({ kind: 'disabled-node', name: 'A' });
  });

  it('prefers a manual trigger or start node over other triggers', () => {
    expect(startNodeOf(of(['W', 'webhook'], ['M', 'manualTrigger']))).toMatchObject({ node: { name: 'M' } });
    expect(startNodeOf(of(['W', 'webhook'], ['S', 'start']))).toMatchObject({ node: { name: 'S' } });
  });

  it('is the first trigger that is not disabled', () => {
    expect(startNodeOf(of(['M', 'manualTrigger', true], ['N', 'noOp'], ['C', 'cron'], ['W', 'webhook']))).toMatchObject(
      { node: { name: 'C' } },
    );
  });

  it('is missing in a workflow without triggers', () => {
    expect(startNodeOf(of(['N', 'noOp']))).toEqual({ kind: 'no-start-node' });
  });
});
