import type { Replica } from '../clients/replicas';
import type { ExecutionStore } from '../domain/claims/held/execution-store';
import { createSlots } from '../domain/claims/shares/slots';
import { createTakeOffer } from './execution-offers';

const unused = () => Promise.reject(new Error('not part of this test'));
const STORE: ExecutionStore = {
  claim: unused,
  heartbeat: unused,
  persist: unused,
  checkpoint: unused,
  report: unused,
  release: unused,
  pause: unused,
  respond: unused,
  startChild: unused,
  acquireSlot: unused,
  findFirstResult: unused,
  countModelTokens: unused,
  readChunk: unused,
  readNodeRuns: unused,
};
const REPLICA: Replica = { store: STORE, claimOffered: unused };
const IDS = ['a', 'b', 'c', 'd'];

/** A handler over some slots; runs and waiting claims end when the test ends them. */
const setUp = (slotCount = 8) => {
  const state = { isBehind: false, hasRoom: true, now: 0 };
  const slots = createSlots(slotCount);
  const stopping = new AbortController();
  const ends: (() => void)[] = [];
  const waits: { readonly count: number; readonly end: (found: boolean) => void; readonly fail: () => void }[] = [];
  const take = createTakeOffer({
    replicas: { at: (address) => Promise.resolve(address === 'ours:1' ? REPLICA : undefined) },
    slots,
    slotCount,
    hasRoom: () => state.hasRoom,
    isBehind: () => state.isBehind,
    queued: {
      takeOffered: () => new Promise((resolve) => ends.push(resolve)),
      waitForOffers: async (_, count) => {
        const { promise, resolve, reject } = Promise.withResolvers<boolean>();
        waits.push({ count, end: resolve, fail: () => reject(new Error('not served')) });
        return promise.finally(() => Array.from({ length: count }, slots.release));
      },
    },
    stopping: stopping.signal,
    clock: () => state.now,
  });
  const refusedOf = async (isAwaited: boolean, ids: readonly string[] = IDS, replica = 'ours:1') =>
    take({ replica, isAwaited, ids });
  return { state, slots, stopping, ends, waits, refusedOf };
};

describe('a runner that is offered executions', () => {
  it('accepts as many as it has slots', async () => {
    const { refusedOf, waits } = setUp();
    expect(await refusedOf(false)).toEqual([]);
    // One of the four that are left is for a waiting claim.
    expect(await refusedOf(true, ['e', 'f', 'g', 'h'])).toEqual(['h']);
    expect(waits).toHaveLength(1);
  });

  it('accepts none while others wait in the queue, except awaited ones up to a quarter of its slots', async () => {
    const { state, refusedOf, ends } = setUp();
    state.isBehind = true;
    expect(await refusedOf(false)).toEqual(IDS);
    expect(await refusedOf(true)).toEqual(['c', 'd']);
    expect(await refusedOf(true)).toEqual(IDS);
    ends.forEach((end) => end());
    await new Promise(setImmediate);
    expect(await refusedOf(true, ['e'])).toEqual([]);
  });

  it('accepts none without memory, during shutdown, or from an address outside the service', async () => {
    const { state, stopping, slots, refusedOf } = setUp();
    expect(await refusedOf(true, IDS, 'evil:1')).toEqual(IDS);
    state.hasRoom = false;
    expect(await refusedOf(true)).toEqual(IDS);
    state.hasRoom = true;
    stopping.abort();
    expect(await refusedOf(true)).toEqual(IDS);
    expect(slots.free()).toBe(8);
  });
});

describe('a claim that waits at a replica', () => {
  const settle = () => new Promise(setImmediate);

  it('waits after an offer, for a quarter of the free slots, as long as there are more', async () => {
    const { waits, refusedOf, slots } = setUp();
    await refusedOf(true, ['a']);
    expect(waits.map(({ count }) => count)).toEqual([1]);
    waits[0]?.end(true);
    await settle();
    waits.slice(1).forEach(({ end }) => end(false));
    await settle();
    expect(slots.free()).toBe(7);
    const before = waits.length;
    await refusedOf(true, ['b']);
    expect(waits.length).toBe(before + 1);
  });

  it('has exactly one parallel claim, so that one waits while the executions of the other begin', async () => {
    const { waits, refusedOf } = setUp(16);
    await refusedOf(true, ['a']);
    await refusedOf(true, ['b']);
    await refusedOf(true, ['c']);
    expect(waits).toHaveLength(2);
    waits[0]?.end(true);
    await settle();
    expect(waits).toHaveLength(3);
    waits[1]?.end(false);
    await settle();
    expect(waits).toHaveLength(3);
    waits[2]?.end(true);
    await settle();
    expect(waits).toHaveLength(5);
  });

  it('is not made while others are queued, without memory, during shutdown, or without slots', async () => {
    for (const change of [
      ({ state }: ReturnType<typeof setUp>) => (state.isBehind = true),
      ({ state }: ReturnType<typeof setUp>) => (state.hasRoom = false),
      ({ stopping }: ReturnType<typeof setUp>) => stopping.abort(),
      ({ slots }: ReturnType<typeof setUp>) => slots.takeFree(6),
    ]) {
      const scene = setUp();
      await scene.refusedOf(true, ['a']);
      change(scene);
      scene.waits[0]?.end(true);
      await settle();
      expect(scene.waits).toHaveLength(1);
    }
  });

  it('is not made for five seconds where it failed, as at a replica of the previous version', async () => {
    const { state, waits, refusedOf } = setUp();
    await refusedOf(true, ['a']);
    waits[0]?.fail();
    await settle();
    state.now = 4_999;
    await refusedOf(true, ['b']);
    expect(waits).toHaveLength(1);
    state.now = 5_000;
    await refusedOf(true, ['c']);
    expect(waits).toHaveLength(2);
  });
});
