import { createOverShareOwners } from '../claims/shares/over-share-owners';
import { createMemoryBudget, PARSED_FACTOR, type MemoryBounds, type RunAccount } from './memory-budget';
import { RunOverBudget } from './memory-refusals';
import type { OutboundRequest, OutboundResponse, OutboundStream } from '@weft/outbound';

const MIB = 1024 * 1024;

const budget = (bounds: Partial<MemoryBounds> = {}) =>
  createMemoryBudget({
    runBytes: 10 * MIB,
    processBytes: 15 * MIB,
    heapBytes: 100 * MIB,
    heapUsed: () => 0,
    others: () => 0,
    clock: () => 0,
    largeBytes: 2 * MIB,
    expectsLarge: false,
    ...bounds,
  });

const answering = (bytes: number) => ({
  request: () => Promise.resolve({ body: Buffer.alloc(bytes) } as unknown as OutboundResponse),
});
const REQUEST = {} as never;

/** Streams with a number of chunks, and what happened to them. */
const streaming = (bytes: number, count: number) => {
  const seen: string[] = [];
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (let index = 0; index < count; index += 1) yield Buffer.alloc(bytes);
    } finally {
      seen.push('closed');
    }
  }
  const stream = async (): Promise<OutboundStream> => ({
    ...{ status: 200, statusText: '', headers: {}, url: 'http://x', cancel: () => undefined },
    chunks: { [Symbol.asyncIterator]: chunks },
  });
  return { streams: { stream }, seen };
};

describe('the memory of a runner', () => {
  it('is limited per run: only the run that exceeds its share is refused, with the limit', () => {
    const memory = budget();
    const [large, small] = [memory.open('owner a'), memory.open('owner a')];
    small.hold(9 * MIB);
    large.hold(9 * MIB);
    expect(() => large.hold(2 * MIB)).toThrow(RunOverBudget);
    expect(() => large.hold(0)).toThrow('The run holds about 11 MB of memory; the limit of one run is 10 MB.');
    small.hold(1 * MIB);
  });

  it('has room until its mark is exceeded, and again when a run has ended or paused', () => {
    const memory = budget();
    const [one, two] = [memory.open('owner a'), memory.open('owner a')];
    one.hold(8 * MIB);
    expect(memory.hasRoom()).toBe(true);
    two.hold(8 * MIB);
    expect(memory.hasRoom()).toBe(false);
    one.close();
    expect(memory.hasRoom()).toBe(true);
    two.close();
    expect(memory.hasRoom()).toBe(true);
  });

  it('counts responses while the node that fetched them runs, and fails a node that fetches too much', async () => {
    const memory = budget({ processBytes: 7 * MIB });
    const run = memory.open('owner a');
    const http = run.http(answering(4 * MIB));
    await http.request(REQUEST);
    expect(memory.hasRoom()).toBe(false);
    await expect(http.request(REQUEST)).rejects.toMatchObject({
      name: 'NodeOperationError',
      message: expect.stringContaining('the limit of one run is 10 MB'),
    });
    run.begin();
    expect(memory.hasRoom()).toBe(true);
  });

  it('counts chunks of streams until the node ends, however they end, and ends one above the limit', async () => {
    const memory = budget();
    const run = memory.open('owner a');
    const { streams, seen } = streaming(1 * MIB, 10);
    const read = async (most: number): Promise<void> => {
      let count = 0;
      for await (const _chunk of (await run.streams(streams).stream(REQUEST)).chunks) {
        count += 1;
        if (count === most) return;
      }
    };
    await read(1);
    expect(seen).toEqual(['closed']);
    expect(() => run.hold(8 * MIB)).toThrow(RunOverBudget);
    run.begin();
    expect(() => run.hold(0)).not.toThrow();
    await expect(read(10)).rejects.toMatchObject({
      name: 'NodeOperationError',
      message: expect.stringContaining('the limit of one run is 10 MB'),
    });
    expect(seen).toEqual(['closed', 'closed']);
    run.close();
    expect(memory.hasRoom()).toBe(true);
  });

  it('ends a stream for which the process has no memory, and counts none after its run', async () => {
    const memory = budget({ runBytes: 80 * MIB });
    const run = memory.open('owner a');
    const { chunks } = await run.streams(streaming(6 * MIB, 2).streams).stream(REQUEST);
    await expect(chunks[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'TOO_LARGE' });
    const late = await run.streams(streaming(6 * MIB, 1).streams).stream(REQUEST);
    run.close();
    await late.chunks[Symbol.asyncIterator]().next();
    memory.open('owner b');
    expect(memory.hasRoom()).toBe(true);
  });

  it('reads a large response once the node that filled the memory has ended, even if it failed', async () => {
    const memory = budget({ runBytes: 80 * MIB, processBytes: 40 * MIB });
    const read: string[] = [];
    const fetching = (name: string, bytes: number, failure?: Error) => ({
      request: async ({ bodyRoom }: OutboundRequest): Promise<OutboundResponse> => {
        await bodyRoom?.make(bytes);
        read.push(name);
        if (failure !== undefined) throw failure;
        return answering(bytes).request();
      },
    });
    const [one, two, three] = ['a', 'b', 'c'].map((owner) => memory.open(owner));
    await one?.http(fetching('one', 4 * MIB)).request(REQUEST);
    const failure = new Error('lost');
    const failed = expect(two?.http(fetching('two', 2 * MIB, failure)).request(REQUEST)).rejects.toBe(failure);
    const third = three?.http(fetching('three', 2 * MIB)).request(REQUEST);
    await new Promise(setImmediate);
    expect(read).toEqual(['one']);
    one?.begin();
    await failed;
    await third;
    expect(read).toEqual(['one', 'two', 'three']);
    three?.close();
    expect(memory.hasRoom()).toBe(true);
  });

  it('gives memory that a slow response does not fill to others until the response is complete', async () => {
    const memory = budget({ runBytes: 80 * MIB, processBytes: 80 * MIB });
    const read: string[] = [];
    let complete = (): void => undefined;
    const slow = {
      request: async ({ bodyRoom }: OutboundRequest): Promise<OutboundResponse> => {
        await bodyRoom?.make(9 * MIB);
        await bodyRoom?.hold(1 * MIB);
        await new Promise<void>((resolve) => (complete = resolve));
        await bodyRoom?.make(9 * MIB);
        read.push('slow');
        return answering(9 * MIB).request();
      },
    };
    const quick = {
      request: async ({ bodyRoom }: OutboundRequest): Promise<OutboundResponse> => {
        await bodyRoom?.make(4 * MIB);
        read.push('quick');
        return answering(4 * MIB).request();
      },
    };
    const [one, two] = [memory.open('owner a'), memory.open('owner a')];
    const first = one.http(slow).request(REQUEST);
    await two.http(quick).request(REQUEST);
    complete();
    await new Promise(setImmediate);
    expect(read).toEqual(['quick']);
    two.begin();
    await first;
    expect(read).toEqual(['quick', 'slow']);
  });

  it('reads stored data of one run per owner at a time where it is expected to be large', async () => {
    const memory = budget({ processBytes: 40 * MIB, expectsLarge: true });
    const signal = new AbortController().signal;
    const [one, two, other] = ['a', 'a', 'b'].map((owner) => memory.open(owner));
    const loaded: string[] = [];
    const load = (name: string, run: RunAccount | undefined) =>
      run?.makeRoomToLoad(signal, () => undefined).then(() => loaded.push(name));
    await load('one', one);
    const second = load('two', two);
    await load('other', other);
    expect(loaded).toEqual(['one', 'other']);
    one?.begin();
    await second;
    expect(loaded).toEqual(['one', 'other', 'two']);
  });

  it('releases its largest run when it is full, except one without progress, or the only one', () => {
    const memory = budget();
    const [large, small] = [memory.open('owner a'), memory.open('owner a')];
    large.hold(9 * MIB);
    small.hold(8 * MIB);
    large.begin();
    expect(large.reasonToGo()).toBeUndefined();
    large.begin();
    small.begin();
    small.begin();
    expect([large.reasonToGo(), small.reasonToGo()]).toEqual(['release', undefined]);
    small.close();
    large.hold(1 * MIB);
    expect(large.reasonToGo()).toBeUndefined();
  });

  it.each([
    ['a response', (run: RunAccount) => run.http(answering(2 * MIB)).request(REQUEST)],
    ['items', (run: RunAccount) => run.hold(2 * MIB * PARSED_FACTOR)],
  ])('sends on, at the next node, the runs of an owner for whom %s was large', async (_, work) => {
    const overShareOwners = createOverShareOwners(
      () => 0,
      () => undefined,
    );
    const memory = budget({ overShareOwners });
    const [large, same, other] = ['a', 'a', 'b'].map((owner) => memory.open(owner));
    for (const run of [large, same, other]) run?.begin();
    other?.hold(2 * MIB * PARSED_FACTOR - 1);
    if (large !== undefined) await Promise.resolve(work(large));
    expect([large, same, other].map((run) => run?.reasonToGo())).toEqual([undefined, undefined, undefined]);
    for (const run of [large, same, other]) run?.begin();
    expect([large, same, other].map((run) => run?.reasonToGo())).toEqual(['drain', 'drain', undefined]);
  });

  it('accepts nothing while the heap is nearly full, and tries again after a second, since it may be garbage', () => {
    let now = 0;
    let used = 90 * MIB;
    const memory = budget({ heapUsed: () => used, clock: () => now });
    expect(memory.hasRoom()).toBe(false);
    now = 999;
    expect(memory.hasRoom()).toBe(false);
    now = 1_000;
    expect([memory.hasRoom(), memory.hasRoom()]).toEqual([true, false]);
    used = 10 * MIB;
    expect(memory.hasRoom()).toBe(true);
  });
});
