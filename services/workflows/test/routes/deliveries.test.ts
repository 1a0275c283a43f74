import { DeliveryState } from '@weft/proto/deliveries';
import { ParkedCalls } from '@weft/proto/workflows';
import { ServiceError } from '@weft/service-kit/errors';
import { uuidv7 } from '@weft/service-kit/ids';
import { connectDatabase } from '@weft/service-kit/mongo';
import { closeAfterEach, testMongodbUri, until } from '@weft/service-kit/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { deliveryModel, type DeliveryDocument } from '../../src/store/deliveries/delivery-schema';
import { webhook, workflowOf } from '../support/definitions';
import { startService, type TestService } from '../support/start-service';

const INPUT = Buffer.from('[{"json":{"body":{"n":1}}}]');

describe('deliveries', () => {
  const later = closeAfterEach();
  let service: TestService;
  let workflowId = '';
  beforeEach(async () => {
    service = await startService();
    workflowId =
      (
        await service.gateway.createWorkflow(
          workflowOf([webhook('hook')], { active: true }),
          service.as('u1', 'editor'),
        )
      ).workflow?.id ?? '';
  });
  afterEach(() => service.stop());

  const owner = () => service.as('u0', 'owner');
  const store = async (
    over: {
      readonly executionId?: string;
      readonly input?: Buffer;
      readonly idempotencyKey?: string;
      readonly workflowId?: string;
      readonly eventKey?: string;
    } = {},
  ): Promise<string> => {
    const start = {
      workflowId,
      versionId: 'v1',
      ownerId: 'u1',
      node: 'Hook',
      input: INPUT,
      idempotencyKey: '',
      executionId: uuidv7(),
      ...over,
    };
    return (
      (
        await service.deliveries.storeDelivery({
          start,
          method: 'POST',
          path: 'hook',
          reason: 'SERVICE_UNAVAILABLE',
          message: 'down',
        })
      ).delivery?.id ?? ''
    );
  };
  const get = async (id: string) => (await service.deliveries.getDelivery({ deliveryId: id }, owner())).delivery;
  const inState = (id: string, state: DeliveryState) =>
    until(`delivery ${id} is delivered or refused`, async () => {
      const delivery = await get(id);
      return delivery?.state === state ? delivery : undefined;
    });
  const change = async (id: string, changes: Partial<DeliveryDocument>): Promise<void> => {
    const database = later(await connectDatabase(testMongodbUri(), service.database), (open) => open.close());
    await deliveryModel(database.connection).updateOne({ _id: id, state: 'pending' }, { $set: changes });
  };

  it('are stored during an outage and delivered after it, under the id and the key of the call', async () => {
    service.executions.setDown(true);
    const id = await store({ idempotencyKey: 'k1' });
    expect(await get(id)).toMatchObject({
      id,
      state: DeliveryState.DELIVERY_STATE_PENDING,
      method: 'POST',
      path: 'hook',
      reason: 'SERVICE_UNAVAILABLE',
      attempts: 0,
      bytes: INPUT.length,
    });
    await change(id, { nextAttemptAt: new Date(0) });
    await until('a failed try', async () => ((await get(id))?.attempts ?? 0) > 0 || undefined);
    service.executions.setDown(false);
    await change(id, { nextAttemptAt: new Date(0) });
    expect(await inState(id, DeliveryState.DELIVERY_STATE_DELIVERED)).toMatchObject({
      executionId: 'execution-0',
      bytes: 0,
      nextAttemptAt: undefined,
    });
    expect(service.executions.started).toMatchObject([
      {
        executionId: id,
        repeatedStart: true,
        idempotencyKey: 'k1',
        workflowId,
        versionId: 'v1',
        startNode: 'Hook',
        input: INPUT,
        mode: 3,
      },
    ]);
    expect((await service.deliveries.getDelivery({ deliveryId: id }, owner())).input).toEqual(Buffer.alloc(0));
  });

  it('start once, however many replicas and users try', async () => {
    service.executions.setDown(true);
    const ids = await Promise.all(Array.from({ length: 10 }, (_, index) => store({ idempotencyKey: `k${index}` })));
    await service.addReplica();
    service.executions.setDown(false);
    await Promise.all(
      ids.flatMap((deliveryId) => [1, 2, 3].map(() => service.deliveries.redeliver({ deliveryId }, owner()))),
    );
    for (const id of ids) await inState(id, DeliveryState.DELIVERY_STATE_DELIVERED);
    expect(service.executions.started.map(({ executionId }) => executionId).sort()).toEqual([...ids].sort());
    const before = service.executions.asked();
    expect((await service.deliveries.redeliver({ deliveryId: ids[0] ?? '' }, owner())).delivery).toMatchObject({
      state: DeliveryState.DELIVERY_STATE_DELIVERED,
    });
    expect(service.executions.asked()).toBe(before);
  });

  it('are stored once, however often they are sent', async () => {
    service.executions.setDown(true);
    const executionId = uuidv7();
    expect([await store({ executionId }), await store({ executionId })]).toEqual([executionId, executionId]);
    expect(
      (await service.deliveries.listDeliveries({ limit: 0, cursor: '', workflowId: '', state: 0 }, owner())).deliveries,
    ).toHaveLength(1);
  });

  it('of one event are one delivery', async () => {
    service.executions.setDown(true);
    const first = await store({ eventKey: 'e1' });
    expect([await store({ eventKey: 'e1' }), await store({ eventKey: 'e2' })]).toEqual([
      first,
      expect.not.stringMatching(first),
    ]);
    service.executions.setDown(false);
    await change(first, { nextAttemptAt: new Date(0) });
    await inState(first, DeliveryState.DELIVERY_STATE_DELIVERED);
    expect(service.executions.started).toMatchObject([{ executionId: first, eventKey: 'e1', eventKeySigned: false }]);
    expect(await store({ eventKey: 'e1' })).toBe(first);
  });

  describe('of a workflow that is deactivated', () => {
    const deactivate = () => service.gateway.deactivateWorkflow({ workflowId, ifEtags: [] }, owner());
    const activate = (parkedCalls?: ParkedCalls) =>
      service.gateway.activateWorkflow(
        { workflowId, ifEtags: [], ...(parkedCalls === undefined ? {} : { parkedCalls }) },
        owner(),
      );
    const list = async (parked: boolean) =>
      (
        await service.deliveries.listDeliveries(
          { limit: 0, cursor: '', workflowId, state: DeliveryState.DELIVERY_STATE_REFUSED, parked },
          owner(),
        )
      ).deliveries.map(({ id }) => id);

    it('are parked: none starts after the response, and they stay listed', async () => {
      service.executions.setDown(true);
      const ids = [await store({ eventKey: 'e1' }), await store()];
      await deactivate();
      service.executions.setDown(false);
      const late = await store();
      await change(late, { nextAttemptAt: new Date(0) });
      for (const id of [...ids, late])
        expect(await inState(id, DeliveryState.DELIVERY_STATE_REFUSED)).toMatchObject({
          parked: true,
          reason: 'WORKFLOW_INACTIVE',
          nextAttemptAt: undefined,
        });
      expect([await list(true), await list(false)]).toEqual([[late, ...ids.toReversed()], []]);
      expect(service.executions.started).toEqual([]);
    });

    it('are waited for by the deactivation if they are being started', async () => {
      service.executions.setDown(true);
      const id = await store();
      const database = later(await connectDatabase(testMongodbUri(), service.database), (open) => open.close());
      const documents = deliveryModel(database.connection);
      await documents.updateOne(
        { _id: id },
        { $set: { attempting: true, nextAttemptAt: new Date(Date.now() + 60_000) } },
      );
      let isAnswered = false;
      const answer = deactivate().then(() => {
        isAnswered = true;
      });
      await until('the workflow is inactive', async () => {
        const { workflow } = await service.gateway.getWorkflow({ workflowId, knownEtags: [] }, owner());
        return workflow?.active === false || undefined;
      });
      await sleep(500);
      expect(isAnswered).toBe(false);
      await documents.updateOne({ _id: id }, { $unset: { attempting: '' } });
      await answer;
      expect(await get(id)).toMatchObject({ parked: true });
    });

    it('can be redelivered by hand', async () => {
      service.executions.setDown(true);
      const id = await store();
      await deactivate();
      service.executions.setDown(false);
      expect((await service.deliveries.redeliver({ deliveryId: id }, owner())).delivery).toMatchObject({
        state: DeliveryState.DELIVERY_STATE_DELIVERED,
        executionId: 'execution-0',
      });
      expect((await get(id))?.parked).toBeUndefined();
    });

    it('stay parked when it is activated, with a warning, until it is to run or drop them', async () => {
      service.executions.setDown(true);
      const ids = [await store(), await store()];
      await deactivate();
      expect((await activate()).warnings).toMatchObject([
        { field: 'deliveries', message: expect.stringContaining('2') },
      ]);
      expect(await list(true)).toHaveLength(2);
      service.executions.setDown(false);
      expect((await activate(ParkedCalls.PARKED_CALLS_RUN)).warnings).toEqual([]);
      for (const id of ids) await inState(id, DeliveryState.DELIVERY_STATE_DELIVERED);
      service.executions.setDown(true);
      const dropped = await store();
      await deactivate();
      expect((await activate(ParkedCalls.PARKED_CALLS_DROP)).warnings).toEqual([]);
      await expect(get(dropped)).rejects.toMatchObject({ reason: 'DELIVERY_NOT_FOUND' });
    });
  });

  it('that are permanently refused are retried only by users', async () => {
    service.executions.refuse(
      workflowId,
      new ServiceError({ reason: 'VERSION_NOT_FOUND', kind: 'not-found', message: 'The version is gone.' }),
    );
    const id = await store();
    expect((await service.deliveries.redeliver({ deliveryId: id }, owner())).delivery).toMatchObject({
      state: DeliveryState.DELIVERY_STATE_REFUSED,
      reason: 'VERSION_NOT_FOUND',
      message: 'The version is gone.',
      nextAttemptAt: undefined,
    });
    service.executions.refuse(workflowId, undefined);
    expect((await service.deliveries.redeliver({ deliveryId: id }, owner())).delivery).toMatchObject({
      state: DeliveryState.DELIVERY_STATE_DELIVERED,
    });
  });

  it('of a workflow that exceeds its share do not delay those of others', async () => {
    service.executions.setDown(true);
    const ids = await Promise.all(Array.from({ length: 12 }, () => store()));
    const other =
      (
        await service.gateway.createWorkflow(
          workflowOf([webhook('hook-2')], { active: true }),
          service.as('u2', 'editor'),
        )
      ).workflow?.id ?? '';
    const healthy = await store({ workflowId: other, idempotencyKey: 'healthy' });
    service.executions.refuse(
      workflowId,
      new ServiceError({ reason: 'QUEUE_FULL', kind: 'limited', message: 'No room for this owner.' }),
    );
    service.executions.setDown(false);
    for (const id of [...ids, healthy]) await change(id, { nextAttemptAt: new Date(ids.indexOf(id) + 1) });
    await inState(healthy, DeliveryState.DELIVERY_STATE_DELIVERED);
    expect(await get(ids[0] ?? '')).toMatchObject({ state: DeliveryState.DELIVERY_STATE_PENDING });
  });

  it('are listed newest first, by workflow and state, for users who may read executions', async () => {
    service.executions.setDown(true);
    const ids = [await store(), await store(), await store()];
    const list = (fields: object) =>
      service.deliveries.listDeliveries(
        { limit: 2, cursor: '', workflowId: '', state: 0, ...fields },
        service.as('u9', 'viewer'),
      );
    const first = await list({ workflowId });
    expect(first.deliveries.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    expect((await list({ workflowId, cursor: first.nextCursor })).deliveries.map(({ id }) => id)).toEqual([ids[0]]);
    expect((await list({ state: DeliveryState.DELIVERY_STATE_PENDING })).deliveries).toHaveLength(2);
    expect((await list({ state: DeliveryState.DELIVERY_STATE_REFUSED })).deliveries).toEqual([]);
    await expect(list({ cursor: first.nextCursor })).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
    expect(
      (await service.deliveries.getDelivery({ deliveryId: ids[0] ?? '' }, service.as('u9', 'viewer'))).input,
    ).toEqual(INPUT);
  });

  it('are redelivered and deleted by owner and administrators; deleted ones are not attempted', async () => {
    service.executions.setDown(true);
    const id = await store();
    for (const who of [service.as('u2', 'editor'), service.as('u1', 'viewer')]) {
      await expect(service.deliveries.redeliver({ deliveryId: id }, who)).rejects.toMatchObject({
        reason: 'FORBIDDEN',
      });
      await expect(service.deliveries.deleteDelivery({ deliveryId: id }, who)).rejects.toMatchObject({
        reason: 'FORBIDDEN',
      });
    }
    await service.deliveries.deleteDelivery({ deliveryId: id }, service.as('u1', 'editor'));
    await expect(service.deliveries.redeliver({ deliveryId: id }, owner())).rejects.toMatchObject({
      reason: 'DELIVERY_NOT_FOUND',
      details: { deliveryId: id },
    });
    await expect(service.deliveries.getDelivery({ deliveryId: 'nonsense' }, owner())).rejects.toMatchObject({
      reason: 'DELIVERY_NOT_FOUND',
    });
    await expect(
      service.deliveries.storeDelivery({ start: undefined, method: '', path: '', reason: '', message: '' }, owner()),
    ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });

  it('run the current version if that of the call no longer exists', async () => {
    service.executions.refuse(
      'v1',
      new ServiceError({ reason: 'VERSION_NOT_FOUND', kind: 'not-found', message: 'The version is gone.' }),
    );
    const id = await store();
    expect((await service.deliveries.redeliver({ deliveryId: id }, owner())).delivery).toMatchObject({
      state: DeliveryState.DELIVERY_STATE_DELIVERED,
    });
    const { workflow } = await service.gateway.getWorkflow({ workflowId, knownEtags: [] }, owner());
    expect(service.executions.started).toMatchObject([{ executionId: id, versionId: workflow?.versionId }]);
  });

  it('are removed with their workflow', async () => {
    service.executions.setDown(true);
    const id = await store();
    await service.gateway.deleteWorkflow({ workflowId, ifEtags: [] }, service.as('u1', 'editor'));
    service.executions.setDown(false);
    await change(id, { nextAttemptAt: new Date(0) });
    await until(
      'it is gone',
      async () =>
        (await service.deliveries.listDeliveries({ limit: 0, cursor: '', workflowId, state: 0 }, owner())).deliveries
          .length === 0 || undefined,
    );
    expect(service.executions.started).toEqual([]);
  });

  it('are limited in number and size for each workflow, and refused for an unknown one', async () => {
    const other = async (): Promise<string> =>
      (await service.gateway.createWorkflow(workflowOf([webhook('other')]), service.as('u1', 'editor'))).workflow?.id ??
      '';
    service.executions.setDown(true);
    const document = (id: string, bytes: number): DeliveryDocument => ({
      _id: uuidv7(),
      workflowId: id,
      versionId: 'v1',
      ownerId: 'u1',
      node: 'Hook',
      method: 'POST',
      path: 'hook',
      input: INPUT,
      idempotencyKey: '',
      state: 'refused',
      reason: '',
      message: '',
      attempts: 1,
      bytes,
      receivedAt: new Date(),
      expiresAt: new Date(Date.now() + 60_000),
    });
    const [many, large] = [await other(), await other()];
    const database = later(await connectDatabase(testMongodbUri(), service.database), (open) => open.close());
    await deliveryModel(database.connection).insertMany(
      [...Array.from({ length: 1_000 }, () => document(many, 1)), document(large, 64_000_000 - INPUT.length)],
      { lean: true, ordered: false },
    );
    await expect(store({ workflowId: many })).rejects.toMatchObject({
      reason: 'TOO_MANY_DELIVERIES',
      details: { workflowId: many },
    });
    await expect(store({ workflowId: large })).resolves.toBeDefined();
    await expect(store({ workflowId: large })).rejects.toMatchObject({
      reason: 'TOO_MANY_DELIVERIES',
      details: { workflowId: large },
    });
    await expect(store({ workflowId: uuidv7() })).rejects.toMatchObject({ reason: 'WORKFLOW_NOT_FOUND' });
  });
});
