import { bytesOutlived } from '@weft/service-kit/testing';
import { runTest, type TestRun } from '../testing';

/** A run of two nodes that ask for what the nodes of most runs ask for. */
const RUN: TestRun = {
  nodes: [
    ['Make', 'make'],
    ['Use', 'use'],
  ],
  links: ['Make>Use'],
  executors: {
    make: () => ({
      kind: 'items',
      outputs: [Array.from({ length: 100 }, (_, id) => ({ json: { id, name: `Name ${id}` } }))],
    }),
    use: (context) => {
      const { execution } = context.scope(0);
      context.ports.clock.now();
      return {
        kind: 'items',
        outputs: [context.items.map(({ json }) => ({ json: { ...json, mode: execution.mode } }))],
      };
    },
  },
  publicUrl: 'https://weft.example',
};

describe('a run that has ended', () => {
  it('is freed before V8 marks all of the heap', async () => {
    expect((await runTest(RUN)).outcome.kind).toBe('success');
    expect(await bytesOutlived(200, () => runTest(RUN))).toBeLessThan(2_000);
  });
});
