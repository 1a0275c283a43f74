import type { ExecutionRecord } from '../state/execution';
import { newExecution } from '../start/new-execution';
import { createWaiters, type Progressed } from './waiters';
import { PLAIN_RUN } from '../testing/plain-run';

const queued = newExecution({ ...PLAIN_RUN, id: 'e', mode: 'manual' }, 0);
const response = { statusCode: 200, headers: [] };

const waitersOver = (capacity = 10) => {
  const store = { record: queued, reads: 0 };
  const readWhole = (): Promise<ExecutionRecord | undefined> => {
    store.reads += 1;
    return Promise.resolve(store.record);
  };
  const readProgress = (ids: readonly string[]): Promise<ReadonlyMap<string, Progressed>> =>
    Promise.resolve(new Map(ids.map((id) => [id, store.record])));
  return { store, waiters: createWaiters(readProgress, readWhole, capacity) };
};

describe('waiting calls', () => {
  const never = new AbortController().signal;

  it('get a response at the first hint after their goal is reached, without a poll', async () => {
    const { store, waiters } = waitersOver();
    const answered = waiters.reserve().until({ executionId: 'e', isNew: true }, 'response', 60_000, never);
    store.record = { ...queued, response };
    waiters.changed(['other', 'e']);
    expect(await answered).toMatchObject({ isReached: true, record: { _id: 'e' } });
  });

  it('continue to wait after a hint short of their goal, and are completed by the poll if it is lost', async () => {
    const { store, waiters } = waitersOver();
    const ended = waiters.reserve().until({ executionId: 'e', isNew: true }, 'end', 60_000, never);
    store.record = { ...queued, response };
    waiters.changed(['e']);
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(store.reads).toBe(1);
    store.record = { ...queued, state: 'success' };
    await waiters.pollAll();
    expect(await ended).toMatchObject({ isReached: true });
  });

  it('get a response from a reported record, without reading it', async () => {
    const { store, waiters } = waitersOver();
    const ended = waiters.reserve().until({ executionId: 'e', isNew: true }, 'end', 60_000, never);
    waiters.became({ ...queued, state: 'running', response });
    waiters.became({ ...queued, state: 'success', response });
    expect(await ended).toMatchObject({ isReached: true, record: { state: 'success', response } });
    expect(store.reads).toBe(0);
  });

  it('that begin after a report read the current record', async () => {
    const { store, waiters } = waitersOver();
    store.record = { ...queued, state: 'success' };
    waiters.became({ ...queued, state: 'success', response });
    const ended = waiters.reserve().until({ executionId: 'e', isNew: true }, 'end', 60_000, never);
    expect(await ended).toMatchObject({ isReached: true, record: store.record });
    expect(store.reads).toBe(1);
  });

  it('notice a change from before they began to wait', async () => {
    const { store, waiters } = waitersOver();
    store.record = { ...queued, state: 'success' };
    waiters.changed(['e']);
    expect(await waiters.reserve().until({ executionId: 'e', isNew: true }, 'end', 60_000, never)).toMatchObject({
      isReached: true,
    });
  });

  it('end when their time is over or their caller disconnects', async () => {
    const { waiters } = waitersOver();
    expect(await waiters.reserve().until({ executionId: 'e', isNew: true }, 'end', 1, never)).toEqual({
      isReached: false,
    });
    const caller = new AbortController();
    const given = waiters.reserve().until({ executionId: 'e', isNew: true }, 'end', 60_000, caller.signal);
    caller.abort();
    expect(await given).toEqual({ isReached: false });
  });

  it('are limited in number; a released reservation can be taken again', () => {
    const { waiters } = waitersOver(2);
    const reservation = waiters.reserve();
    waiters.reserve();
    expect(() => waiters.reserve()).toThrow('Too many calls wait');
    reservation.leave();
    expect(() => waiters.reserve()).not.toThrow();
  });
});
