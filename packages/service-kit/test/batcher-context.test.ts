import { createBatcher } from '../src/batching';
import { currentContext, withContext } from '../src/context';

describe('createBatcher, called inside requests', () => {
  it(
    'flushes outside their contexts, so that no deadline of a caller applies to a batch, and answers each inside ' +
      'its own',
    async () => {
      const seen: unknown[] = [];
      const call = createBatcher<number, number>({
        maxBatch: 10,
        concurrency: 1,
        maxQueued: 10,
        flush: (items) => {
          seen.push(currentContext());
          return Promise.resolve([...items]);
        },
      });
      const inContext = (requestId: string) =>
        withContext({ requestId, deadline: 0 }, async () => {
          await call(1);
          return currentContext()?.requestId;
        });
      expect(await Promise.all([inContext('a'), inContext('b')])).toEqual(['a', 'b']);
      expect(seen).toEqual([undefined]);
    },
  );
});
