import { setTimeout as sleep } from 'node:timers/promises';
import type { RunNode } from '../node/node';
import { RunThread } from './run-thread';
import { runTest } from '../testing/run-test-workflow';

const ITEMS = Array.from({ length: 12 }, () => ({}));
/** More than a turn. */
const BUSY_MS = 15;

const eachItem =
  (handle: () => Promise<void> | void): RunNode =>
  async (context) => {
    for (const _ of context.items) {
      await handle();
      await context.pause();
    }
    return { kind: 'items', outputs: [[...context.items]] };
  };
const beBusy = (): void => {
  const end = performance.now() + BUSY_MS;
  while (performance.now() < end);
};
const work = eachItem(beBusy);
const WAIT_MS = 40;
const wait = eachItem(async () => {
  await sleep(WAIT_MS);
});
const workAndWait = eachItem(async () => {
  beBusy();
  await sleep(WAIT_MS);
});

const turnsOf = async (
  executor: RunNode,
  signal?: AbortController,
  restMs = (): number => 0,
): Promise<readonly number[]> => {
  const turns: number[] = [];
  await runTest({
    nodes: [['S', 'work']],
    links: [],
    executors: { work: executor },
    input: ITEMS,
    thread: new RunThread({
      ownerKey: 'owner',
      workflowId: 'w1',
      signal: signal?.signal ?? new AbortController().signal,
      onTurn: (ms) => {
        turns.push(ms);
        if (turns.length === 5) signal?.abort('drain');
      },
      restMs,
    }),
    ...(signal === undefined
      ? {}
      : { signal: signal.signal, stop: () => (signal.signal.aborted ? 'drain' : undefined) }),
  });
  return turns;
};

describe('the time that a run has the thread', () => {
  it('is what it works without a break, told at the end of each turn', async () => {
    const turns = await turnsOf(work);
    expect(turns.length).toBeGreaterThanOrEqual(ITEMS.length);
    expect(turns[0]).toBe(0);
    expect(turns[ITEMS.length - 1]).toBeGreaterThanOrEqual((ITEMS.length - 1) * BUSY_MS);
  });

  it('is not what it waits', async () => {
    const began = performance.now();
    const turns = await turnsOf(wait);
    expect(turns.at(-1)).toBeLessThan((performance.now() - began) / 2);
  });

  it('is what it works before it waits', async () => {
    const turns = await turnsOf(workAndWait);
    expect(turns.at(-1)).toBeGreaterThanOrEqual((ITEMS.length - 1) * BUSY_MS);
  });

  it('ends within its node if the run is stopped by it', async () => {
    expect(await turnsOf(work, new AbortController())).toHaveLength(5);
  });

  it('is not given again until it needs no more rest', async () => {
    const rests = [5, 5, 0, 5];
    const asked: number[] = [];
    const turns = await turnsOf(work, undefined, () => {
      const rest = rests.shift() ?? 0;
      asked.push(rest);
      return rest;
    });
    expect(asked.slice(0, 5)).toEqual([5, 5, 0, 5, 0]);
    expect(turns.at(-1)).toBeGreaterThanOrEqual((ITEMS.length - 1) * BUSY_MS);
  });

  it('is not waited for by a run that is stopped while it rests', async () => {
    const controller = new AbortController();
    const turns = await turnsOf(work, controller, () => {
      controller.abort('drain');
      return 3_600_000;
    });
    expect(turns).toEqual([0]);
  });
});
