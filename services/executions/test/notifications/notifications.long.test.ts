import {
  NotificationState,
  PauseReason,
  type EventSubscriptionSettings,
  type Notification,
} from '@weft/proto/event-subscriptions';
import { ServiceError, Unavailable } from '@weft/service-kit/errors';
import { uuidv7 } from '@weft/service-kit/ids';
import { until } from '@weft/service-kit/testing';
import { eventsOf, type FakeResponse, type ReceivedRequest } from './fake-receivers';
import { claim, OWNER, reportOf, startTestStack, webhookStartOf, type Replica, type TestStack } from '../support/stack';

const { NOTIFICATION_STATE_DELIVERED, NOTIFICATION_STATE_FAILED, NOTIFICATION_STATE_PENDING } = NotificationState;
const HOUR_MS = 3_600_000;

interface Row {
  readonly _id: string;
  readonly subscriptionId: string;
  readonly dueAt?: Date;
  readonly attempts: number;
  readonly expireAt: Date;
}

describe('notifications', () => {
  let stack: TestStack;
  let replica: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica({ SWEEP_MS: '100' });
  });
  afterEach(() => {
    stack.receivers.respond = () => 204;
    stack.receivers.checkSigning = () => undefined;
  });
  afterAll(() => stack.stop());

  const rows = () => stack.database.collection<Row>('notifications');
  const rowsOf = (subscriptionId: string): Promise<Row[]> => rows().find({ subscriptionId }).sort({ _id: 1 }).toArray();
  const create = async (fields: Partial<EventSubscriptionSettings> = {}) => {
    const workflow = stack.workflows.add();
    const settings: EventSubscriptionSettings = {
      name: 'ends',
      url: `https://receiver.example/${uuidv7()}`,
      statuses: [],
      workflowIds: [],
      batch: 1,
      credentialId: '',
      allOwners: false,
      paused: false,
      ...fields,
    };
    const { subscription } = await replica.subscriptions.createEventSubscription(
      { settings },
      { principal: { userId: workflow.ownerId, role: 'editor' } },
    );
    const id = subscription?.id ?? '';
    return {
      id,
      settings,
      workflow,
      requests: (): ReceivedRequest[] => stack.receivers.received.filter(({ url }) => url === settings.url),
      get: async () =>
        (await replica.subscriptions.getEventSubscription({ subscriptionId: id }, { principal: OWNER })).subscription,
      list: async (state = NotificationState.NOTIFICATION_STATE_UNSPECIFIED, limit = 100, cursor = '') =>
        replica.subscriptions.listNotifications({ subscriptionId: id, state, limit, cursor }, { principal: OWNER }),
      /** Runs executions to their end, without waiting for their notifications. */
      end: async (count: number): Promise<string[]> =>
        Promise.all(
          Array.from({ length: count }, async () => {
            const { started } = await replica.executions.startExecution({ start: webhookStartOf(workflow) });
            const { executionId } = await claim(replica, started?.executionId ?? '');
            await replica.runner.report({ entries: [reportOf(executionId, 1)] });
            return executionId;
          }),
        ),
      /** Responds to the requests of this subscription. */
      respond: (response: (request: ReceivedRequest, attempt: number) => FakeResponse | Promise<FakeResponse>) => {
        let attempts = 0;
        const others = stack.receivers.respond;
        stack.receivers.respond = (request) => {
          if (request.url !== settings.url) return others(request);
          attempts += 1;
          return response(request, attempts);
        };
      },
    };
  };
  type Subscription = Awaited<ReturnType<typeof create>>;
  const inState = (subscription: Subscription, state: NotificationState, count = 1): Promise<Notification[]> =>
    until(`${count} notifications in state ${state}`, async () => {
      const { notifications } = await subscription.list(state);
      return notifications.length >= count && notifications;
    });
  /** Makes pending notifications due. */
  const makeDue = (subscriptionId: string) =>
    rows().updateMany({ subscriptionId, dueAt: { $exists: true } }, { $set: { dueAt: new Date(0) } });
  const wake = async (subscription: Subscription): Promise<void> => {
    await makeDue(subscription.id);
    stack.nats.publish(stack.queue.notificationsSubject, Buffer.from(subscription.id));
    await stack.nats.flush();
  };

  it('of one subscription are sent in lists up to its batch, each event once, one request at a time', async () => {
    const subscription = await create({ batch: 50 });
    let open = 0;
    let most = 0;
    subscription.respond(async () => {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setTimeout(resolve, 20));
      open -= 1;
      return 200;
    });
    const ids = await subscription.end(120);
    await inState(subscription, NOTIFICATION_STATE_DELIVERED, 100);
    await until('all events', () => subscription.requests().flatMap(eventsOf).length >= ids.length);
    const events = subscription.requests().flatMap(eventsOf);
    expect(events.map(({ subject }) => subject).sort()).toEqual(ids.sort());
    expect(subscription.requests().length).toBeLessThan(60);
    expect(most).toBe(1);
    for (const { headers, body } of subscription.requests()) {
      expect(headers['content-type']).toBe('application/cloudevents-batch+json; charset=utf-8');
      expect(headers['webhook-id']).toMatch(/^batch:/);
      expect(body).toEqual(expect.any(Array));
    }
  });

  it('that fail are sent again under the same id, after 5 s, and become delivered', async () => {
    const subscription = await create();
    subscription.respond((_, attempt) => (attempt === 1 ? 500 : 200));
    const [executionId = ''] = await subscription.end(1);
    const [failed] = await inState(subscription, NOTIFICATION_STATE_PENDING);
    await until('the first attempt', async () => (await rowsOf(subscription.id))[0]?.attempts === 1);
    const [row] = await rowsOf(subscription.id);
    const delay = (row?.dueAt?.getTime() ?? 0) - Date.now();
    expect([delay > 1_000, delay < 6_100]).toEqual([true, true]);
    expect(failed).toMatchObject({ executionId, eventId: `${executionId}:ended` });
    expect((await subscription.list()).notifications).toMatchObject([
      { attempts: 1, responseStatus: 500, error: 'The receiver responded with 500.' },
    ]);
    expect(await subscription.get()).toMatchObject({ failingSince: expect.any(Date) });
    await wake(subscription);
    const [delivered] = await inState(subscription, NOTIFICATION_STATE_DELIVERED);
    expect(delivered).toMatchObject({ attempts: 2, responseStatus: 200, error: '' });
    expect(delivered?.dueAt).toBeUndefined();
    const [first, second] = subscription.requests();
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect([first?.failing, second?.failing]).toEqual([false, true]);
    expect(second?.body).toEqual(first?.body);
    await until('it counts as working again', async () => (await subscription.get())?.failingSince === undefined);
  });

  it('that fail nine times are kept as failed for 14 days, and delivered ones for one day', async () => {
    const subscription = await create();
    const reason = 'The host "receiver.example" refused the connection.';
    subscription.respond(() => ({ error: reason }));
    await subscription.end(1);
    await until('the first attempt', async () => (await rowsOf(subscription.id))[0]?.attempts === 1);
    await rows().updateMany({ subscriptionId: subscription.id }, { $set: { attempts: 8 } });
    await wake(subscription);
    const [failed] = await inState(subscription, NOTIFICATION_STATE_FAILED);
    expect(failed).toMatchObject({ attempts: 9, responseStatus: 0, error: reason });
    const left = async (): Promise<number> =>
      Math.round(((await rowsOf(subscription.id))[0]?.expireAt.getTime() ?? 0) / HOUR_MS - Date.now() / HOUR_MS);
    expect(await left()).toBe(14 * 24);
    subscription.respond(() => 200);
    const { notification } = await replica.subscriptions.resendNotification(
      { subscriptionId: subscription.id, executionId: failed?.executionId ?? '' },
      { principal: OWNER },
    );
    expect(notification).toMatchObject({ state: NOTIFICATION_STATE_PENDING, attempts: 0 });
    await inState(subscription, NOTIFICATION_STATE_DELIVERED);
    expect(await left()).toBe(24);
    await expect(
      replica.subscriptions.resendNotification(
        { subscriptionId: subscription.id, executionId: uuidv7() },
        { principal: OWNER },
      ),
    ).rejects.toMatchObject({ reason: 'NOTIFICATION_NOT_FOUND' });
  });

  it('wait for their receiver when the request that resends them is over', async () => {
    const subscription = await create();
    const [executionId = ''] = await subscription.end(1);
    await inState(subscription, NOTIFICATION_STATE_DELIVERED);
    subscription.respond(() => new Promise((resolve) => setTimeout(resolve, 1_500, 200)));
    await replica.subscriptions.resendNotification(
      { subscriptionId: subscription.id, executionId },
      { principal: OWNER, deadlineMs: 1_000 },
    );
    expect(await inState(subscription, NOTIFICATION_STATE_DELIVERED)).toMatchObject([{ executionId, attempts: 1 }]);
    expect(subscription.requests()).toHaveLength(2);
  });

  it('stop when the receiver is gone, and what waits is sent when the subscription is resumed', async () => {
    const subscription = await create();
    subscription.respond(() => 410);
    const [executionId] = await subscription.end(1);
    await until('the pause', async () => (await subscription.get())?.settings?.paused);
    expect(await subscription.get()).toMatchObject({ pauseReason: PauseReason.PAUSE_REASON_GONE });
    await subscription.end(1);
    await wake(subscription);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(subscription.requests()).toHaveLength(1);
    subscription.respond(() => 200);
    await replica.subscriptions.replaceEventSubscription(
      { subscriptionId: subscription.id, settings: subscription.settings, ifEtags: [] },
      { principal: OWNER },
    );
    await wake(subscription);
    const delivered = await inState(subscription, NOTIFICATION_STATE_DELIVERED);
    expect(delivered).toMatchObject([{ executionId }]);
    expect(await subscription.get()).toMatchObject({ failingSince: undefined });
  });

  it('stop after 24 hours without success', async () => {
    const subscription = await create();
    subscription.respond(() => 500);
    await subscription.end(1);
    await until('the first failure', async () => (await subscription.get())?.failingSince);
    const since = new Date(Date.now() - 24 * HOUR_MS);
    await stack.database
      .collection<{ _id: string }>('eventSubscriptions')
      .updateOne({ _id: subscription.id }, { $set: { failingSince: since } });
    stack.nats.publish(stack.queue.subscriptionsSubject, Buffer.from(subscription.id));
    await stack.nats.flush();
    await new Promise((resolve) => setTimeout(resolve, 300));
    await wake(subscription);
    await until('the pause', async () => (await subscription.get())?.settings?.paused);
    expect(await subscription.get()).toMatchObject({ pauseReason: PauseReason.PAUSE_REASON_FAILING });
  });

  it('stop when 10,000 are not delivered', async () => {
    const subscription = await create();
    subscription.respond(() => 500);
    await subscription.end(1);
    await until('the first attempt', async () => (await rowsOf(subscription.id))[0]?.attempts === 1);
    const [one] = await rowsOf(subscription.id);
    const many = Array.from({ length: 9_999 }, () => ({
      ...one,
      _id: `${subscription.id}:${uuidv7()}`,
      subscriptionId: subscription.id,
      attempts: 0,
      expireAt: new Date(Date.now() + HOUR_MS),
    }));
    await rows().insertMany(many);
    await wake(subscription);
    await until('the pause', async () => (await subscription.get())?.settings?.paused);
    expect(await subscription.get()).toMatchObject({ pauseReason: PauseReason.PAUSE_REASON_BACKLOG });
    await replica.subscriptions.deleteEventSubscription(
      { subscriptionId: subscription.id, ifEtags: [] },
      { principal: OWNER },
    );
    await until(
      'they are deleted',
      async () => (await rows().countDocuments({ subscriptionId: subscription.id })) === 0,
    );
  });

  it('do not count attempts while signing or runners are unavailable, and are sent when they are back', async () => {
    const subscription = await create({ credentialId: 'c' });
    const away = (): never => {
      throw new Unavailable('The fake is away.');
    };
    stack.receivers.checkSigning = away;
    const [executionId] = await subscription.end(1);
    await until('the notification', async () => (await rowsOf(subscription.id)).length === 1);
    await new Promise((resolve) => setTimeout(resolve, 200));
    stack.receivers.checkSigning = () => undefined;
    stack.receivers.respond = away;
    await wake(subscription);
    await until('an attempt at a runner', () => subscription.requests().length > 0);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await subscription.list()).notifications).toMatchObject([
      { state: NOTIFICATION_STATE_PENDING, attempts: 0, error: '' },
    ]);
    expect(await subscription.get()).toMatchObject({ failingSince: undefined });
    stack.receivers.respond = () => 200;
    const [delivered] = await inState(subscription, NOTIFICATION_STATE_DELIVERED);
    expect(delivered).toMatchObject({ executionId, attempts: 1 });
  });

  it('are never sent unsigned: a credential that cannot sign any more fails them, with its reason', async () => {
    const subscription = await create({ credentialId: 'deleted' });
    stack.receivers.checkSigning = () => {
      throw new ServiceError({ reason: 'CREDENTIAL_NOT_FOUND', kind: 'not-found', message: 'No credential.' });
    };
    await subscription.end(1);
    await until('the attempt', async () => (await rowsOf(subscription.id))[0]?.attempts === 1);
    expect((await subscription.list()).notifications).toMatchObject([
      { responseStatus: 0, error: 'The request could not be signed: No credential.' },
    ]);
    expect(subscription.requests()).toEqual([]);
  });

  it('whose sender died after sending are sent again under the same id', async () => {
    const subscription = await create();
    const [executionId = ''] = await subscription.end(1);
    await inState(subscription, NOTIFICATION_STATE_DELIVERED);
    // As a process leaves it that took and sent it, and was killed before it could complete it.
    const taken = { state: 'pending', dueAt: new Date(Date.now() + 300), attemptId: uuidv7(), attempts: 0 };
    await rows().updateOne({ _id: `${subscription.id}:${executionId}` }, { $set: taken });
    const again = await until('it is sent again', () => {
      const requests = subscription.requests();
      return requests.length === 2 && requests;
    });
    expect(again[1]).toMatchObject({ headers: { 'webhook-id': `${executionId}:ended` }, body: again[0]?.body });
    await inState(subscription, NOTIFICATION_STATE_DELIVERED);
  });

  it('of healthy subscriptions are sent at once, whatever twenty hanging and failing receivers do', async () => {
    const hostile = await Promise.all(Array.from({ length: 20 }, () => create()));
    let release: () => void = () => undefined;
    const hanging = new Promise<void>((resolve) => {
      release = resolve;
    });
    const hangingSince: number[] = [];
    for (const one of hostile)
      one.respond((_, attempt) => {
        if (attempt === 1) return 500;
        hangingSince.push(Date.now());
        return hanging.then(() => 500);
      });
    for (const one of hostile) await one.end(2);
    await until('each has failed', () => hostile.every((one) => one.requests().length > 0));
    for (const one of hostile) await wake(one);
    // A call of a runner ends after 12 s.
    const hangingNow = (): number => hangingSince.filter((since) => since > Date.now() - 9_000).length;
    await until('eight requests hang', () => hangingNow() >= 8);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(hangingNow()).toBe(8);
    const healthy = await create();
    const startedAt = Date.now();
    await healthy.end(5);
    await inState(healthy, NOTIFICATION_STATE_DELIVERED, 5);
    expect(Date.now() - startedAt).toBeLessThan(8_000);
    release();
  });

  it('are listed by state in pages, the newest execution first', async () => {
    const subscription = await create();
    const ids = await subscription.end(3);
    await inState(subscription, NOTIFICATION_STATE_DELIVERED, 3);
    const first = await subscription.list(NOTIFICATION_STATE_DELIVERED, 2);
    const second = await subscription.list(NOTIFICATION_STATE_DELIVERED, 2, first.nextCursor);
    const listed = [...first.notifications, ...second.notifications].map(({ executionId }) => executionId);
    expect(listed).toEqual(ids.sort().reverse());
    expect(second.nextCursor).toBe('');
    expect((await subscription.list(NOTIFICATION_STATE_FAILED)).notifications).toEqual([]);
    await expect(subscription.list(NOTIFICATION_STATE_FAILED, 2, first.nextCursor)).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
    });
  });

  it('of tests are sent once, in the format of the subscription, also while it is paused', async () => {
    const subscription = await create({ batch: 10, credentialId: 'c', paused: true });
    const test = () =>
      replica.subscriptions.testEventSubscription({ subscriptionId: subscription.id }, { principal: OWNER });
    expect(await test()).toEqual({ delivered: true, responseStatus: 204, error: '' });
    subscription.respond(() => 302);
    expect(await test()).toEqual({
      delivered: false,
      responseStatus: 302,
      error: 'The receiver responded with 302: redirects are not followed.',
    });
    const [request] = subscription.requests();
    expect(request).toMatchObject({
      // They use the places of failing subscriptions.
      failing: true,
      headers: { 'webhook-signature': expect.stringMatching(/^v1,c:batch:/) },
      body: [{ type: 'weft.subscription.test', data: { subscriptionId: subscription.id } }],
    });
    expect(await rowsOf(subscription.id)).toEqual([]);
  });

  it('are sent by another replica when the responsible one has stopped', async () => {
    const other = await stack.startReplica({ SWEEP_MS: '100' });
    const subscriptions = await Promise.all(Array.from({ length: 4 }, () => create()));
    for (const one of subscriptions) await one.end(2);
    for (const one of subscriptions) await inState(one, NOTIFICATION_STATE_DELIVERED, 2);
    for (const one of subscriptions) expect(one.requests()).toHaveLength(2);
    await other.stop();
    for (const one of subscriptions) await one.end(1);
    for (const one of subscriptions) await inState(one, NOTIFICATION_STATE_DELIVERED, 3);
  });
});
