import { checkDefinition, readDefinition, startNodeOf } from '@weft/node-catalogue';
import { outputOf } from './testing/run-kind';

describe('stickyNote', () => {
  it('is no place to start, and no fault in whatever version', () => {
    const definition = readDefinition({
      name: 'x',
      nodes: [{ name: 'Note', type: 'weft-nodes-base.stickyNote', typeVersion: 9 }],
      connections: {},
    });
    expect(startNodeOf(definition).kind).toBe('no-start-node');
    expect(checkDefinition(definition)).toEqual([]);
  });

  it('lets items by, should a link lead to one', async () => {
    expect(await outputOf('stickyNote', { items: [{ n: 1 }] })).toEqual([{ n: 1 }]);
  });
});
