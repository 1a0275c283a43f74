import { runBatches } from './run-batches';

const noSleep = async (): Promise<void> => undefined;

describe('batches', () => {
  it('return results in order and pause only between batches', async () => {
    const log: string[] = [];
    const results = await runBatches(
      5,
      { size: 2, intervalMs: 30 },
      async (index) => {
        log.push(`${index}`);
        return index * 10;
      },
      async (ms) => {
        log.push(`sleep ${ms}`);
      },
    );
    expect(results).toEqual([0, 10, 20, 30, 40]);
    expect(log).toEqual(['0', '1', 'sleep 30', '2', '3', 'sleep 30', '4']);
  });

  it('run at most ten at once', async () => {
    let running = 0;
    let most = 0;
    await runBatches(
      50,
      { size: undefined, intervalMs: 0 },
      async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        running -= 1;
      },
      noSleep,
    );
    expect(most).toBe(10);
  });

  it('start nothing after a failure, await running work, and throw the first failure by index', async () => {
    const done: number[] = [];
    const failing = runBatches(
      40,
      { size: undefined, intervalMs: 0 },
      async (index) => {
        if (index === 3 || index === 1) {
          await new Promise((resolve) => {
            setImmediate(resolve);
          });
          throw new Error(`item ${index}`);
        }
        await new Promise((resolve) => {
          setImmediate(() => setImmediate(resolve));
        });
        done.push(index);
      },
      noSleep,
    );
    await expect(failing).rejects.toThrow('item 1');
    expect(done).toEqual([0, 2, 4, 5, 6, 7, 8, 9]);
  });

  it('do nothing for no items', async () => {
    expect(await runBatches(0, { size: undefined, intervalMs: 0 }, async () => 1, noSleep)).toEqual([]);
  });
});
