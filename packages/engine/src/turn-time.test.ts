import { setTimeout as sleep } from 'node:timers/promises';
import type { RunNode } from './node';
import { runTest } from './testing/run-test-workflow';

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
const work = eachItem(() => {
  const end = performance.now() + BUSY_MS;
  while (performance.now() < end);
});
const wait = eachItem(async () => {
  await sleep(BUSY_MS);
});

const turnsOf = async (executor: RunNode, signal?: AbortController): Promise<readonly number[]> => {
  const turns: number[] = [];
  await runTest({
    nodes: [['S', 'work']],
    links: [],
    executors: { work: executor },
    input: ITEMS,
    onTurn: (ms) => {
      turns.push(ms);
      if (turns.length === 5) signal?.abort('drain');
    },
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
    expect(new Set(await turnsOf(wait))).toEqual(new Set([0]));
  });

  it('ends within its node if the run is stopped by it', async () => {
    expect(await turnsOf(work, new AbortController())).toHaveLength(5);
  });
});
