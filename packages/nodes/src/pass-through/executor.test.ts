import { runKind, outputOf } from '../testing/cases/run-kind';
import { checkDefinition } from '../definitions/check-definition';
import { readDefinition } from '@weft/node-catalogue';
import { startNodeOf } from '../definitions/start-node';

describe('noOp', () => {
  it('passes every item on, each linked to itself', async () => {
    const { items } = await runKind('noOp', { items: [{ n: 1 }, { n: 2 }] });
    expect(items).toEqual([
      [
        { json: { n: 1 }, pairedItem: { item: 0 } },
        { json: { n: 2 }, pairedItem: { item: 1 } },
      ],
    ]);
  });
});

describe('manualTrigger and start', () => {
  it.each(['manualTrigger', 'start'])('%s outputs the data of the call', async (kind) => {
    expect(await outputOf(kind, { isStart: true, items: [{ order: 7 }] })).toEqual([{ order: 7 }]);
    expect(await outputOf(kind, { isStart: true })).toEqual([{}]);
  });
});

describe('stickyNote', () => {
  it('is not a start node, and valid in any version', () => {
    const definition = readDefinition({
      name: 'x',
      nodes: [{ name: 'Note', type: 'weft-nodes-base.stickyNote', typeVersion: 9 }],
      connections: {},
    });
    expect(startNodeOf(definition).kind).toBe('no-start-node');
    expect(checkDefinition(definition)).toEqual([]);
  });

  it('passes items on if a link leads to it', async () => {
    expect(await outputOf('stickyNote', { items: [{ n: 1 }] })).toEqual([{ n: 1 }]);
  });
});
