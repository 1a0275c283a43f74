import { PauseReason, type EventSubscriptionSettings } from '@weft/proto/event-subscriptions';
import { ExecutionStatus } from '@weft/proto/executions';
import type { Principal } from '@weft/service-kit/auth';
import { ServiceError } from '@weft/service-kit/errors';
import { uuidv7 } from '@weft/service-kit/ids';
import { until } from '@weft/service-kit/testing';
import { eventsOf, type ReceivedRequest } from './fake-receivers';
import {
  claim,
  failedReportOf,
  OWNER,
  reportOf,
  start,
  startTestStack,
  webhookStartOf,
  type FakeWorkflow,
  type Replica,
  type TestStack,
} from '../support/stack';

const { EXECUTION_STATUS_ERROR, EXECUTION_STATUS_RUNNING, EXECUTION_STATUS_SUCCESS } = ExecutionStatus;

const settingsOf = (fields: Partial<EventSubscriptionSettings> = {}): EventSubscriptionSettings => ({
  name: 'ends',
  url: `https://receiver.example/${uuidv7()}`,
  statuses: [],
  workflowIds: [],
  batch: 1,
  credentialId: '',
  allOwners: false,
  paused: false,
  ...fields,
});

const editorOf = (userId: string, projects: readonly string[] = []): Principal => ({
  userId,
  role: 'editor',
  projects,
});

describe('event subscriptions', () => {
  let stack: TestStack;
  let replica: Replica;
  let other: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica({ SWEEP_MS: '250', PUBLIC_URL: 'https://weft.example/' });
    other = await stack.startReplica({ SWEEP_MS: '250', PUBLIC_URL: 'https://weft.example/' });
  });
  afterAll(() => stack.stop());

  const create = async (fields: Partial<EventSubscriptionSettings> = {}, user = OWNER, projectId?: string) => {
    const settings = settingsOf(fields);
    const request = { settings, ...(projectId === undefined ? {} : { projectId }) };
    const { subscription } = await replica.subscriptions.createEventSubscription(request, { principal: user });
    if (subscription?.settings === undefined) throw new Error('CreateEventSubscription gave nothing.');
    return { ...subscription, settings: subscription.settings };
  };
  const get = async (subscriptionId: string, principal = OWNER) =>
    (await replica.subscriptions.getEventSubscription({ subscriptionId }, { principal })).subscription;
  const replace = (
    subscriptionId: string,
    settings: EventSubscriptionSettings,
    ifEtags: string[] = [],
    principal = OWNER,
  ) => replica.subscriptions.replaceEventSubscription({ subscriptionId, settings, ifEtags }, { principal });
  const remove = (subscriptionId: string, ifEtags: string[] = [], principal = OWNER) =>
    replica.subscriptions.deleteEventSubscription({ subscriptionId, ifEtags }, { principal });
  const requestsTo = ({ settings: { url } }: { settings: { url: string } }): ReceivedRequest[] =>
    stack.receivers.received.filter((request) => request.url === url);
  const received = (subscription: { settings: { url: string } }, count: number): Promise<ReceivedRequest[]> =>
    until(`${count} requests`, () => {
      const requests = requestsTo(subscription);
      return requests.length >= count && requests;
    });
  const begin = async (workflow: FakeWorkflow, at = replica): Promise<string> => {
    const { started } = await at.executions.startExecution({ start: webhookStartOf(workflow) });
    return (await claim(at, started?.executionId ?? '')).executionId;
  };
  const succeed = async (workflow: FakeWorkflow, at = replica): Promise<string> => {
    const executionId = await begin(workflow, at);
    await at.runner.report({ entries: [reportOf(executionId, 1)] });
    return executionId;
  };
  const fail = async (workflow: FakeWorkflow): Promise<string> => {
    const executionId = await begin(workflow);
    await replica.runner.report({ entries: [failedReportOf(executionId, 1)] });
    return executionId;
  };
  /** An execution ends with an event for this subscription, after all that were given before. */
  const flush = async (workflow: FakeWorkflow): Promise<void> => {
    const last = await create({}, editorOf(workflow.ownerId));
    await succeed(workflow);
    await received(last, 1);
    await remove(last.id);
  };

  it('are created once for one idempotency key, at any replica, and not for another request with it', async () => {
    const request = { settings: settingsOf(), idempotencyKey: uuidv7() };
    const [one, repeated] = await Promise.all(
      [replica, other].map(({ subscriptions }) =>
        until('a response', () =>
          subscriptions.createEventSubscription(request, { principal: OWNER }).catch((error: unknown) => {
            // The first call is still running.
            if (error instanceof ServiceError && error.kind === 'unavailable') return undefined;
            throw error;
          }),
        ),
      ),
    );
    expect(repeated).toEqual(one);
    const changed = { ...request, settings: { ...request.settings, name: 'other' } };
    await expect(replica.subscriptions.createEventSubscription(changed, { principal: OWNER })).rejects.toMatchObject({
      reason: 'IDEMPOTENCY_KEY_REUSED',
    });
    await remove(one?.subscription?.id ?? '');
  });

  it('get a CloudEvent of the end of an execution, as lists show it', async () => {
    const workflow = stack.workflows.add();
    const subscription = await create({ credentialId: 'c' }, editorOf(workflow.ownerId));
    const executionId = await fail(workflow);
    const [request] = await received(subscription, 1);
    expect(request).toMatchObject({
      failing: false,
      headers: {
        'content-type': 'application/cloudevents+json; charset=utf-8',
        'webhook-id': `${executionId}:ended`,
        'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
        'webhook-signature': `v1,c:${executionId}:ended`,
      },
      body: {
        specversion: '1.0',
        id: `${executionId}:ended`,
        source: `https://weft.example/api/v1/workflows/${workflow.workflowId}`,
        type: 'weft.execution.ended',
        subject: executionId,
        datacontenttype: 'application/json',
        data: {
          id: executionId,
          workflowId: workflow.workflowId,
          versionId: workflow.versionId,
          mode: 'webhook',
          status: 'error',
          state: 'error',
          data: { resultData: { error: { reason: 'NODE_ERROR' } } },
        },
      },
    });
  });

  it('get one event for each execution of their owner, whatever its end, and none of others', async () => {
    const workflow = stack.workflows.add();
    const subscription = await create({}, editorOf(workflow.ownerId));
    await succeed(stack.workflows.add());
    const ids = [await succeed(workflow), await fail(workflow), await begin(workflow)];
    await replica.executions.cancelExecution({ executionId: ids[2] ?? '' }, { principal: OWNER });
    const manual = await start(replica, workflow);
    await replica.executions.deleteExecution({ executionId: manual }, { principal: OWNER });
    await flush(workflow);
    const events = (await received(subscription, 5)).flatMap(eventsOf);
    expect(
      events
        .map(({ subject }) => subject)
        .slice(0, 4)
        .sort(),
    ).toEqual([...ids, manual].sort());
    expect(events.map(({ data }) => data)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: ids[2], state: 'cancelled' }),
        expect.objectContaining({ id: manual, state: 'cancelled' }),
      ]),
    );
  });

  it.each([
    ['success', [EXECUTION_STATUS_SUCCESS], ['success']],
    ['error', [EXECUTION_STATUS_ERROR], ['error', 'cancelled']],
  ] as const)('with the status %s get only such events', async (_, statuses, states) => {
    const workflow = stack.workflows.add();
    const subscription = await create({ statuses: [...statuses] }, editorOf(workflow.ownerId));
    await succeed(workflow);
    await fail(workflow);
    const cancelled = await begin(workflow);
    await replica.executions.cancelExecution({ executionId: cancelled }, { principal: OWNER });
    const events = (await received(subscription, states.length)).flatMap(eventsOf);
    await flush(stack.workflows.add());
    const got = events.map(({ data }) => Object(data).state);
    expect(got.sort()).toEqual([...states].sort());
  });

  it('with workflows get only events of these', async () => {
    const workflow = stack.workflows.add();
    const sibling = stack.workflows.add({}, workflow.ownerId);
    const subscription = await create({ workflowIds: [workflow.workflowId] }, editorOf(workflow.ownerId));
    await succeed(sibling);
    const executionId = await succeed(workflow);
    await received(subscription, 1);
    await flush(sibling);
    expect(
      requestsTo(subscription)
        .flatMap(eventsOf)
        .map(({ subject }) => subject),
    ).toEqual([executionId]);
  });

  it('for all owners get events of all, and require the role owner or admin to be created or changed', async () => {
    const editor = editorOf(uuidv7());
    await expect(create({ allOwners: true }, editor)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    const own = await create({}, editor);
    await expect(replace(own.id, { ...own.settings, allOwners: true }, [], editor)).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
    const subscription = await create({ allOwners: true }, { userId: editor.userId, role: 'admin' });
    await expect(replace(subscription.id, settingsOf(), [], editor)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(remove(subscription.id, [], editor)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    const executionId = await succeed(stack.workflows.add());
    const events = await until('the event', () => {
      const found = requestsTo(subscription).flatMap(eventsOf);
      return found.some(({ subject }) => subject === executionId) && found;
    });
    expect(events.filter(({ subject }) => subject === executionId)).toHaveLength(1);
    await remove(subscription.id);
  });

  it('are learned by every replica, and apply to executions that are accepted later', async () => {
    const workflow = stack.workflows.add();
    const early = await begin(workflow);
    const subscription = await create({}, editorOf(workflow.ownerId));
    const late = await until('the other replica knows the subscription', async () => {
      const executionId = await succeed(workflow, other);
      return ((await stack.stored(executionId))?.postRunActions.length ?? 0) > 0 || requestsTo(subscription).length > 0
        ? executionId
        : undefined;
    });
    await replica.runner.report({ entries: [reportOf(early, 1)] });
    await until('its event', () =>
      requestsTo(subscription)
        .flatMap(eventsOf)
        .some(({ subject }) => subject === late),
    );
    await flush(workflow);
    expect(
      requestsTo(subscription)
        .flatMap(eventsOf)
        .map(({ subject }) => subject),
    ).not.toContain(early);
  });

  it('get nothing while they are paused or after they were deleted, also of executions that had started', async () => {
    const workflow = stack.workflows.add();
    const user = editorOf(workflow.ownerId);
    const [paused, deleted] = [await create({}, user), await create({}, user)];
    const running = await begin(workflow);
    await replace(paused.id, { ...paused.settings, paused: true });
    await remove(deleted.id);
    await replica.runner.report({ entries: [reportOf(running, 1)] });
    await succeed(workflow);
    await flush(workflow);
    expect([requestsTo(paused), requestsTo(deleted)]).toEqual([[], []]);
    expect(await get(paused.id)).toMatchObject({
      settings: { paused: true },
      pauseReason: PauseReason.PAUSE_REASON_REQUESTED,
      pausedAt: expect.any(Date),
    });
    await replace(paused.id, paused.settings);
    expect(await get(paused.id)).toMatchObject({ pauseReason: PauseReason.PAUSE_REASON_UNSPECIFIED });
    const executionId = await succeed(workflow);
    const [request] = await received(paused, 1);
    expect(request?.body).toMatchObject({ subject: executionId });
  });

  it('get no event of a poll without results', async () => {
    const workflow = stack.workflows.add();
    const subscription = await create({}, editorOf(workflow.ownerId));
    const discarded = await begin(workflow);
    await replica.runner.report({ entries: [{ ...reportOf(discarded, 1), discard: true }] });
    await flush(workflow);
    expect(
      requestsTo(subscription)
        .flatMap(eventsOf)
        .map(({ subject }) => subject),
    ).not.toContain(discarded);
  });

  it('belong to a project if it is given, and to those who may change what it owns', async () => {
    const projectId = uuidv7();
    stack.projects.destinations.add(projectId);
    const [member, stranger] = [editorOf(uuidv7(), [projectId]), editorOf(uuidv7())];
    await expect(create({}, stranger, projectId)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(create({}, OWNER, uuidv7())).rejects.toMatchObject({ reason: 'PROJECT_NOT_FOUND' });
    const subscription = await create({}, member, projectId);
    expect(subscription.ownerId).toBe(projectId);
    await expect(replace(subscription.id, settingsOf(), [], stranger)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    expect(await get(subscription.id, stranger)).toMatchObject({ id: subscription.id });
    const executionId = await succeed(stack.workflows.add({}, projectId));
    const [request] = await received(subscription, 1);
    expect(request?.body).toMatchObject({ subject: executionId });
    const list = await replica.subscriptions.listEventSubscriptions(
      { limit: 100, cursor: '', projectId },
      { principal: stranger },
    );
    expect(list.subscriptions.map(({ id }) => id)).toEqual([subscription.id]);
  });

  it('of closed projects and of all owners are hidden from strangers', async () => {
    const projectId = uuidv7();
    stack.projects.destinations.add(projectId);
    const hidden = [await create({}, OWNER, projectId), await create({ allOwners: true })];
    const visible = await create();
    stack.projects.closed.add(projectId);
    const stranger = editorOf(uuidv7());
    const ids = async (principal: Principal): Promise<string[]> => {
      const page = { limit: 100, cursor: '' };
      const { subscriptions } = await replica.subscriptions.listEventSubscriptions(page, { principal });
      return subscriptions.map(({ id }) => id);
    };
    await until('the project is closed', async () => !(await ids(stranger)).includes(hidden[0]?.id ?? ''));
    expect(await ids(stranger)).toContain(visible.id);
    for (const { id } of hidden) {
      expect(await ids(stranger)).not.toContain(id);
      expect(await ids(editorOf(uuidv7(), [projectId]))).toContain(id);
      await expect(get(id, stranger)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
      const notifications = { subscriptionId: id, state: 0, limit: 0, cursor: '' };
      await expect(
        replica.subscriptions.listNotifications(notifications, { principal: stranger }),
      ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
      expect(await ids(OWNER)).toContain(id);
    }
    stack.projects.closed.delete(projectId);
    for (const { id } of hidden) await remove(id);
  });

  it('are changed and deleted only in the state that the caller has seen', async () => {
    const { id, etag, settings } = await create();
    const { subscription } = await replace(id, { ...settings, name: 'changed' }, [etag]);
    expect(subscription).toMatchObject({ settings: { name: 'changed' } });
    expect(subscription?.etag).not.toBe(etag);
    await expect(replace(id, settings, [etag])).rejects.toMatchObject({ reason: 'VERSION_CONFLICT' });
    await expect(remove(id, [etag])).rejects.toMatchObject({ reason: 'VERSION_CONFLICT' });
    await Promise.all(Array.from({ length: 3 }, () => replace(id, settings)));
    await remove(id, [(await get(id))?.etag ?? '']);
    await expect(get(id)).rejects.toMatchObject({ reason: 'EVENT_SUBSCRIPTION_NOT_FOUND' });
    await expect(remove(id)).rejects.toMatchObject({ reason: 'EVENT_SUBSCRIPTION_NOT_FOUND' });
  });

  it('are refused with a credential that cannot sign for their owner', async () => {
    stack.receivers.checkSigning = (credentialId) => {
      if (credentialId === 'foreign')
        throw new ServiceError({ reason: 'CREDENTIAL_NOT_GRANTED', kind: 'forbidden', message: 'Not granted.' });
    };
    await expect(create({ credentialId: 'foreign' })).rejects.toMatchObject({ reason: 'CREDENTIAL_NOT_GRANTED' });
    const { id, settings } = await create({ credentialId: 'own' });
    await expect(replace(id, { ...settings, credentialId: 'foreign' })).rejects.toMatchObject({
      reason: 'CREDENTIAL_NOT_GRANTED',
    });
    stack.receivers.checkSigning = () => undefined;
  });

  it.each<[string, Partial<EventSubscriptionSettings>]>([
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(101) }],
    ['url', { url: 'ftp://receiver.example' }],
    ['url', { url: 'https://user:password@receiver.example' }],
    ['url', { url: `https://receiver.example/${'x'.repeat(2_000)}` }],
    ['batch', { batch: 51 }],
    ['workflowIds', { workflowIds: ['x'] }],
    ['workflowIds', { workflowIds: Array.from({ length: 101 }, () => uuidv7()) }],
    ['statuses', { statuses: [EXECUTION_STATUS_RUNNING] }],
  ])('are refused with an invalid %s, which the error names', async (field, fields) => {
    await expect(create(fields)).rejects.toMatchObject({ reason: 'INVALID_REQUEST', fields: [{ field }] });
  });

  it('of one owner leave room for those of others', async () => {
    const collection = stack.database.collection<{ _id: string }>('eventSubscriptions');
    const hostile = editorOf(uuidv7());
    const { id } = await create({}, hostile);
    const one = await collection.findOne({ _id: id });
    await collection.insertMany(Array.from({ length: 79 }, () => ({ ...one, _id: uuidv7() })));
    await expect(create({}, hostile)).rejects.toMatchObject({
      reason: 'TOO_MANY_EVENT_SUBSCRIPTIONS',
      message: expect.stringContaining('80 event subscriptions of one owner'),
    });
    await create();
    await collection.deleteMany({ ownerId: hostile.userId });
  });

  it('cannot be created where executions cannot reach runners', async () => {
    const alone = await stack.startReplica({ RUNNER_TARGET: '' });
    await expect(
      alone.subscriptions.createEventSubscription({ settings: settingsOf() }, { principal: OWNER }),
    ).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('RUNNER_TARGET') });
    await alone.stop();
  });

  it('and requests that users cause are recorded in the audit log', async () => {
    const { id } = await create();
    await remove(id);
    const records = await stack.database.collection('audit').find({ 'about.subscriptionId': id }).toArray();
    expect(records.map(({ action, actor }) => [action, actor])).toEqual([
      ['event-subscription.create', OWNER.userId],
      ['event-subscription.delete', OWNER.userId],
    ]);
  });
});
