import { Unavailable } from '@weft/service-kit/errors';
import { retryDelayMs, type Attempt, type Notification } from './notification';
import { createSendDue, type ReceiverResponse, type SendPorts } from './send-due';
import { failurePauseMs } from './senders';
import type { EventSubscription, Pause } from './subscription';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const DAY_MS = 86_400_000;
const SUBSCRIPTION: EventSubscription = {
  id: 's',
  name: 's',
  url: 'https://receiver.example/',
  batch: 1,
  allOwners: false,
  ownerId: 'o',
  revision: 1,
  createdAt: new Date(NOW),
  updatedAt: new Date(NOW),
};

describe('the delay after a failed attempt', () => {
  it('grows from 5 s to 12 h, and there is none after the ninth', () => {
    const middle = Array.from({ length: 9 }, (_, index) => retryDelayMs(index + 1, 0.5));
    const seconds = middle.map((ms) => (ms === undefined ? undefined : Math.round(ms / 1_000)));
    expect(seconds).toEqual([5, 30, 120, 600, 1_800, 7_200, 21_600, 43_200, undefined]);
  });

  it('differs by at most 20 % in both directions', () => {
    expect([0, 1].map((random) => Math.round(retryDelayMs(1, random) ?? 0))).toEqual([4_000, 6_000]);
  });
});

describe('the pause of a subscription', () => {
  it('begins with the second failure, and grows to 30 s', () => {
    expect([0, 1, 2, 3, 6, 7, 1_000].map(failurePauseMs)).toEqual([0, 0, 1_000, 2_000, 16_000, 30_000, 30_000]);
  });
});

describe('sending what is due', () => {
  const passOf = async (
    count: number,
    responses: readonly (ReceiverResponse | Error)[],
    subscription: Partial<EventSubscription> = {},
    ports: Partial<SendPorts> = {},
    isStopping = () => false,
  ) => {
    let clock = NOW;
    const attempts: Attempt[] = [];
    const changes: string[] = [];
    const sent: string[] = [];
    const left = [...responses];
    const notifications: Notification[] = Array.from({ length: count }, (_, index) => ({
      subscriptionId: 's',
      executionId: `e${index}`,
      state: 'pending',
      event: `{"id":"e${index}"}`,
      attempts: 0,
      createdAt: new Date(NOW),
    }));
    const outcome = await createSendDue({
      notifications: {
        take: () => Promise.resolve({ attemptId: 'a', notifications }),
        complete: (_, made) => {
          attempts.push(...made);
          return Promise.resolve();
        },
      },
      subscriptions: {
        pause: (_, { reason }: Pause) => {
          changes.push(`pause ${reason}`);
          return Promise.resolve(true);
        },
        setFailing: (_, since) => {
          changes.push(since === undefined ? 'works' : 'fails');
          return Promise.resolve(true);
        },
      },
      sign: (_, requests) => Promise.resolve(requests.map(({ id }) => `v1,${id}`)),
      send: ({ headers }) => {
        sent.push(headers['webhook-signature'] ?? headers['webhook-id'] ?? '');
        clock += 9_000;
        const response = left.shift() ?? { status: 200 };
        return response instanceof Error ? Promise.reject(response) : Promise.resolve(response);
      },
      onChanged: () => Promise.resolve(),
      onAttempt: () => undefined,
      clock: () => clock,
      random: () => 0.5,
      ...ports,
    })({ ...SUBSCRIPTION, ...subscription }, isStopping);
    return { outcome, attempts, changes, sent };
  };

  it('sends one request after the other for 20 s, and leaves the rest for later', async () => {
    const { outcome, attempts, changes } = await passOf(5, []);
    expect(outcome).toEqual({ kind: 'delivered', mayHaveMore: true });
    expect(attempts).toHaveLength(3);
    expect(changes).toEqual([]);
  });

  it('stops at the first failure', async () => {
    const { outcome, attempts, changes } = await passOf(3, [{ status: 200 }, { error: 'No response.' }]);
    expect(outcome).toEqual({ kind: 'failed', mayHaveMore: true });
    expect(attempts).toMatchObject([{ responseStatus: 200 }, { error: 'No response.' }]);
    expect(changes).toEqual(['fails']);
  });

  it('sends a batch in one request, which succeeds or fails as a whole', async () => {
    const { attempts } = await passOf(3, [{ status: 503 }], { batch: 50 });
    expect(attempts.map(({ notifications, error }) => [notifications.length, error])).toEqual([
      [3, 'The receiver responded with 503.'],
    ]);
  });

  it('counts no attempt while no runner can send, and none for what was not sent before a stop', async () => {
    const away = new Unavailable('Away.');
    expect(await passOf(2, [away])).toMatchObject({ outcome: { kind: 'unavailable', error: away }, attempts: [] });
    expect(await passOf(2, [], {}, {}, () => true)).toMatchObject({ attempts: [], sent: [] });
  });

  it('sends nothing unsigned', async () => {
    const signed = await passOf(1, [], { credentialId: 'c' });
    expect(signed.sent).toEqual(['v1,e0:ended']);
    const away = new Unavailable('Away.');
    const unsigned = await passOf(1, [], { credentialId: 'c' }, { sign: () => Promise.reject(away) });
    expect(unsigned).toMatchObject({ outcome: { kind: 'unavailable', error: away }, attempts: [], sent: [] });
  });

  it.each([
    ['410', { status: 410 }, undefined, ['pause gone']],
    ['a failure within a day', { status: 500 }, NOW - DAY_MS + 60_000, []],
    ['a failure after a day', { status: 500 }, NOW - DAY_MS, ['pause failing']],
    ['a success after failures', { status: 200 }, NOW - DAY_MS, ['works']],
  ])('judges the receiver: %s', async (_, response, since, expected) => {
    const failing = since === undefined ? {} : { failingSince: new Date(since) };
    expect((await passOf(1, [response], failing)).changes).toEqual(expected);
  });
});
