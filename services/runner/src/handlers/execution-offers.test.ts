import type { ExecutionStore } from '../domain/execution-store';
import { createSlots } from '../domain/slots';
import { createTakeOffer } from './execution-offers';

const unused = () => Promise.reject(new Error('not part of this test'));
const REPLICA: ExecutionStore = {
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
  readChunk: unused,
  readNodeRuns: unused,
};
const IDS = ['a', 'b', 'c', 'd'];

/** A handler over eight slots; runs end when they are told to. */
const setUp = () => {
  const state = { isBehind: false, hasRoom: true };
  const slots = createSlots(8);
  const stopping = new AbortController();
  const ends: (() => void)[] = [];
  const take = createTakeOffer({
    replicas: { at: (address) => Promise.resolve(address === 'ours:1' ? REPLICA : undefined) },
    slots,
    slotCount: 8,
    hasRoom: () => state.hasRoom,
    isBehind: () => state.isBehind,
    queued: { takeOffered: () => new Promise((resolve) => ends.push(resolve)) },
    stopping: stopping.signal,
  });
  const refusedOf = async (isAwaited: boolean, ids: readonly string[] = IDS, replica = 'ours:1') =>
    take({ replica, isAwaited, isAnsweredByClaims: true, ids });
  return { state, slots, stopping, ends, refusedOf };
};

describe('a runner that is offered executions', () => {
  it('takes them as far as it has slots', async () => {
    const { refusedOf } = setUp();
    expect(await refusedOf(false)).toEqual([]);
    expect(await refusedOf(true, ['e', 'f', 'g', 'h', 'i'])).toEqual(['i']);
  });

  it('takes none while others wait in the queue, but awaited ones up to a quarter of its slots', async () => {
    const { state, refusedOf, ends } = setUp();
    state.isBehind = true;
    expect(await refusedOf(false)).toEqual(IDS);
    expect(await refusedOf(true)).toEqual(['c', 'd']);
    expect(await refusedOf(true)).toEqual(IDS);
    ends.forEach((end) => end());
    await new Promise(setImmediate);
    expect(await refusedOf(true, ['e'])).toEqual([]);
  });

  it('takes none without memory, when it stops, or from an address that is none of the service', async () => {
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
