import type { SendOutcome } from './send-due';
import { MAX_SENDING, MAX_SENDING_FAILED, NotificationSenders } from './senders';
import type { EventSubscription } from './subscription';

const subscriptionOf = (id: string): EventSubscription => ({
  id,
  name: id,
  url: 'https://receiver.example/',
  batch: 1,
  allOwners: false,
  ownerId: 'o',
  revision: 1,
  createdAt: new Date(0),
  updatedAt: new Date(0),
});

describe('the senders of notifications', () => {
  /** A pass in progress, which the test ends. */
  interface Pass {
    readonly end: (outcome: SendOutcome) => Promise<void>;
  }
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const setUp = (count: number) => {
    const known = new Map(Array.from({ length: count }, (_, index) => [`s${index}`, subscriptionOf(`s${index}`)]));
    const running = new Set<Pass>();
    const world = { now: 0 };
    const senders = new NotificationSenders({
      subscriptions: {
        all: () => [...known.values()],
        get: (id) => known.get(id),
        pause: () => Promise.resolve(false),
      },
      notifications: { countPending: () => Promise.resolve(0) },
      sendDue: () =>
        new Promise((resolve) => {
          const pass: Pass = {
            end: (outcome) => {
              running.delete(pass);
              resolve(outcome);
              return settled();
            },
          };
          running.add(pass);
        }),
      share: { isMine: () => true, count: () => 1 },
      onChanged: () => Promise.resolve(),
      onError: () => undefined,
      monotonic: () => world.now,
      clock: () => world.now,
    });
    const endAll = (outcome: SendOutcome) => Promise.all([...running].map((pass) => pass.end(outcome)));
    return { senders, world, running, known, endAll };
  };
  const FAILED: SendOutcome = { kind: 'failed', mayHaveMore: true };

  it('give failing subscriptions at most half of the places, whatever wakes them', async () => {
    const { senders, running, known, world, endAll } = setUp(20);
    await senders.tick();
    expect(running.size).toBe(MAX_SENDING);
    await endAll(FAILED);
    await endAll(FAILED);
    const failed = MAX_SENDING_FAILED;
    for (let second = 0; second < 60; second += 1) {
      world.now += 1_000;
      for (const id of known.keys()) senders.wake(id);
      await senders.tick();
      expect(running.size).toBeLessThanOrEqual(failed);
      const [first] = running;
      await first?.end(FAILED);
    }
    expect(running.size).toBe(failed);
  });
});
