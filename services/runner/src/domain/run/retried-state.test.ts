import { type EngineState, RUN_MEMORY } from '@weft/engine';
import { asRetried } from './retried-state';

describe('the state of a run that is retried', () => {
  const state: EngineState = {
    version: 1,
    executionIndex: 3,
    lastNode: 'B',
    waiting: [{ node: 'Merge', arrived: [[{ previousNode: 'A' }], []] }],
    ready: [
      { node: 'Call', sources: [{ previousNode: 'B' }], waited: true, since: 5 },
      { node: 'Other', sources: [] },
    ],
    memories: {
      Call: { calls: ['of the other run'] },
      Loop: { next: 2 },
      [RUN_MEMORY]: {
        resumeToken: 't',
        answer: {},
        models: { modelCalls: 3 },
        nextAnswer: null,
        customData: { order: '7' },
      },
    },
  };

  it('starts its waits again with new calls, tokens and callers, and keeps everything else', () => {
    expect(asRetried(state)).toEqual({
      ...state,
      ready: [
        { node: 'Call', sources: [{ previousNode: 'B' }] },
        { node: 'Other', sources: [] },
      ],
      memories: { Loop: { next: 2 }, [RUN_MEMORY]: { customData: { order: '7' } } },
    });
  });
});
