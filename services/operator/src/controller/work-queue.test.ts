import { createWorkQueue, type QueueItem, type Repeat } from './work-queue';

/** A queue whose work ends when the test says so, with fake timers. */
const setUp = (options: { concurrency?: number; perNamespace?: number } = {}) => {
  const begun: string[] = [];
  const ends = new Map<string, (repeat: Repeat) => void>();
  const queue = createWorkQueue({
    concurrency: 8,
    perNamespace: 2,
    minBackoffMs: 1_000,
    maxBackoffMs: 300_000,
    now: () => Date.now(),
    work: ({ id }) => {
      begun.push(id);
      return new Promise((resolve) => ends.set(id, resolve));
    },
    ...options,
  });
  const add = (id: string, namespace = 'n'): void => queue.add({ namespace, id });
  const end = async (id: string, repeat: Repeat = 'none'): Promise<void> => {
    ends.get(id)?.(repeat);
    await jest.advanceTimersByTimeAsync(0);
  };
  return { queue, begun, add, end };
};

describe('the queue of objects', () => {
  beforeEach(() => void jest.useFakeTimers({ now: 0 }));
  afterEach(() => void jest.useRealTimers());

  it('works on two objects of a namespace at once, and on others meanwhile', async () => {
    const { begun, add, end } = setUp();
    for (const id of ['a1', 'a2', 'a3']) add(id, 'a');
    add('b1', 'b');
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('works on eight objects at once', () => {
    const { begun, add } = setUp();
    for (let number = 0; number < 12; number += 1) add(`o${number}`, `n${number}`);
    expect(begun).toHaveLength(8);
  });

  it('lets namespaces take turns', async () => {
    const { begun, add, end } = setUp({ concurrency: 1 });
    add('first', 'other');
    for (const id of ['a1', 'a2', 'a3']) add(id, 'a');
    for (const id of ['b1', 'b2']) add(id, 'b');
    for (const id of ['first', 'a1', 'b1', 'a2', 'b2']) await end(id);
    expect(begun).toEqual(['first', 'a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('works once more on an object that was named during its work, and once only', async () => {
    const { begun, add, end } = setUp();
    add('a');
    add('a');
    add('a');
    await end('a');
    await end('a');
    expect(begun).toEqual(['a', 'a']);
  });

  it('repeats after 1, 2, 4 and at most 300 seconds', async () => {
    const { begun, add, end } = setUp();
    add('a');
    for (const pause of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000]) {
      await end('a', 'backoff');
      const before = begun.length;
      await jest.advanceTimersByTimeAsync(pause - 1);
      expect(begun).toHaveLength(before);
      await jest.advanceTimersByTimeAsync(1);
      expect(begun).toHaveLength(before + 1);
    }
  });

  it('starts with one second again after a success', async () => {
    const { begun, add, end } = setUp();
    add('a');
    await end('a', 'backoff');
    await jest.advanceTimersByTimeAsync(1_000);
    await end('a');
    add('a');
    await end('a', 'backoff');
    await jest.advanceTimersByTimeAsync(1_000);
    expect(begun).toHaveLength(4);
  });

  it('does not delay an object that changes while it waits', async () => {
    const { begun, add, end } = setUp();
    add('a');
    await end('a', { afterMs: 60_000 });
    add('a');
    expect(begun).toEqual(['a', 'a']);
  });

  it('keeps the objects of a paused namespace waiting, and those of others not', async () => {
    const { queue, begun, add } = setUp();
    queue.pause('a', 5_000);
    add('a1', 'a');
    add('b1', 'b');
    expect(begun).toEqual(['b1']);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(begun).toEqual(['b1', 'a1']);
  });

  it('names objects that are due but not in progress', () => {
    const { queue, add } = setUp();
    for (const id of ['a1', 'a2', 'a3', 'a4']) add(id, 'a');
    expect(queue.dueOf('a', 1).map(({ id }: QueueItem) => id)).toEqual(['a3']);
    expect(queue.dueOf('a', 9).map(({ id }: QueueItem) => id)).toEqual(['a3', 'a4']);
    expect(queue.size()).toBe(4);
  });

  it('ends the work in progress before it stops, and starts nothing more', async () => {
    const { queue, begun, add, end } = setUp({ concurrency: 1 });
    add('a1', 'a');
    add('b1', 'b');
    let isStopped = false;
    void queue.stop().then(() => (isStopped = true));
    await jest.advanceTimersByTimeAsync(0);
    expect(isStopped).toBe(false);
    await end('a1');
    expect(isStopped).toBe(true);
    expect(begun).toEqual(['a1']);
  });
});
