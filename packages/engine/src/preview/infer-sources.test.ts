import { readDefinition, type JsonObject } from '@weft/node-catalogue/definitions';
import { inferSources } from './infer-sources';
import type { PreviewRun } from './previewer';

const link = (node: string, index = 0): JsonObject => ({ node, type: 'main', index });
const DRAFT = readDefinition({
  name: 'W',
  nodes: ['Start', 'If', 'Join', 'New'].map((name, at) => ({
    id: name,
    name,
    type: 'weft-nodes-base.noOp',
    position: [at, 0],
    parameters: {},
  })),
  connections: {
    Start: { main: [[link('If'), link('Join', 1)]] },
    If: { main: [[link('Join')], [link('Join'), link('New')]] },
  },
});
const runOf = (node: string, run: number, items: number[], source?: PreviewRun['source']): PreviewRun => ({
  node,
  run,
  executionIndex: run,
  items,
  hasFailed: false,
  ...(source !== undefined && { source }),
});

describe('the sources of the inputs of a node', () => {
  it('are those that the execution recorded for the chosen run', () => {
    const source = [{ previousNode: 'If', previousNodeRun: 1 }, null];
    const runs = [runOf('If', 0, [1]), runOf('If', 1, [1]), runOf('Join', 0, [1], source)];
    expect(inferSources(DRAFT, runs, 'Join', 0)).toBe(source);
  });

  it('are the last runs that gave something, for a node that has not run or is linked differently now', () => {
    const runs = [runOf('Start', 0, [2]), runOf('If', 0, [0, 3]), runOf('If', 1, [0, 5])];
    const expected = [{ previousNode: 'If', previousNodeOutput: 1, previousNodeRun: 1 }, { previousNode: 'Start' }];
    expect(inferSources(DRAFT, runs, 'Join', 0)).toEqual(expected);
    const moved = [...runs, runOf('Join', 0, [1], [{ previousNode: 'Gone' }])];
    expect(inferSources(DRAFT, moved, 'Join', 0)).toEqual(expected);
  });

  it('are the nodes alone where nothing has run, and nothing for a node without inputs', () => {
    expect(inferSources(DRAFT, [], 'New', 0)).toEqual([{ previousNode: 'If', previousNodeOutput: 1 }]);
    expect(inferSources(DRAFT, [], 'Start', 0)).toEqual([]);
  });
});
