import { linksOf } from './definition';
import { readDefinition } from './read-definition';

describe('readDefinition', () => {
  it('reads every field that the engine uses', () => {
    const definition = readDefinition({
      name: 'Orders',
      nodes: [
        {
          id: 'n1',
          name: 'A',
          type: 'x-nodes-base.set',
          typeVersion: 3.4,
          position: [10, -20],
          parameters: { mode: 'raw' },
          credentials: { httpHeaderAuth: { id: '7', name: 'Key' }, old: 'by name' },
          onError: 'continueErrorOutput',
          retryOnFail: true,
          maxTries: 4,
          waitBetweenTries: 10,
          alwaysOutputData: true,
          executeOnce: true,
          disabled: false,
          notes: 'n',
          webhookId: 'w',
          continueOnFail: true,
        },
      ],
      connections: {},
      settings: { executionOrder: 'v1', timezone: 'Europe/Berlin', executionTimeout: 30, other: 1 },
      pinData: { A: [{ json: {} }] },
      staticData: { global: {} },
    });
    expect(definition.nodes[0]).toEqual({
      id: 'n1',
      name: 'A',
      type: 'x-nodes-base.set',
      typeVersion: 3.4,
      position: [10, -20],
      parameters: { mode: 'raw' },
      credentials: { httpHeaderAuth: { id: '7', name: 'Key' }, old: { name: 'by name' } },
      onError: 'continueErrorOutput',
      retryOnFail: true,
      maxTries: 4,
      waitBetweenTries: 10,
      alwaysOutputData: true,
      executeOnce: true,
      disabled: false,
      notes: 'n',
      webhookId: 'w',
      continueOnFail: true,
    });
    expect(definition.settings).toEqual({ executionOrder: 'v1', timezone: 'Europe/Berlin', executionTimeout: 30 });
    expect(definition.pinData['A']).toEqual([{ json: {} }]);
  });

  it.each([null, 3, 'x', [], { nodes: 'x', connections: [] }, { nodes: [null, 3, {}, { name: 'a' }] }])(
    'reads %j as an empty workflow',
    (value) => {
      expect(readDefinition(value)).toMatchObject({ name: '', nodes: [], settings: {} });
    },
  );

  it('has no inherited names in its records', () => {
    const definition = readDefinition({ name: 'x', nodes: [], connections: {}, pinData: {} });
    expect(definition.connections['constructor']).toBeUndefined();
    expect(definition.pinData['toString']).toBeUndefined();
  });
});

describe('linksOf', () => {
  it('lists links between nodes that exist, in order', () => {
    const definition = readDefinition({
      name: 'x',
      nodes: ['A', 'B', 'C'].map((name) => ({ name, type: 't' })),
      connections: {
        A: {
          main: [
            [
              { node: 'B', type: 'main', index: 0 },
              { node: 'gone', type: 'main', index: 0 },
            ],
            null,
            [{ node: 'C', type: 'main', index: 1 }],
          ],
        },
        B: { ai_tool: [[{ node: 'C', type: 'ai_tool', index: 0 }]] },
        gone: { main: [[{ node: 'A', type: 'main', index: 0 }]] },
      },
    });
    expect(linksOf(definition)).toEqual([
      { from: 'A', output: 0, to: 'B', input: 0 },
      { from: 'A', output: 2, to: 'C', input: 1 },
    ]);
  });
});
