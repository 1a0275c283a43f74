import { setTimeout as sleep } from 'node:timers/promises';
import { createAwaitResponse } from './await-response';

async function* noPieces(): AsyncGenerator<Buffer> {}

describe('a call that waits', () => {
  it('counts its time limit from the start of the call, however long its own start took', async () => {
    const limits: number[] = [];
    const slot = {
      until: (_execution: unknown, _goal: unknown, limitMs: number) => {
        limits.push(limitMs);
        return Promise.resolve({ isReached: false });
      },
      leave: () => undefined,
    };
    const awaitResponse = createAwaitResponse({ reserve: () => slot }, () => Promise.resolve(undefined), {
      read: noPieces,
    });
    const wait = (limitMs: number, startMs: number) =>
      awaitResponse({ goal: 'end', limitMs, signal: new AbortController().signal }, async () => {
        await sleep(startMs);
        return { executionId: 'e', existing: false };
      });
    await wait(60_000, 50);
    await wait(10, 50);
    expect(limits).toEqual([expect.any(Number), 0]);
    expect(limits[0]).toBeLessThan(60_000 - 40);
  });
});
