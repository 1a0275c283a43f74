import { uuidv7 } from '@weft/service-kit/ids';
import { connectDatabase, type Database, migrate } from '@weft/service-kit/mongo';
import { dropDatabase, testMongodbUri, uniqueName } from '@weft/service-kit/testing';
import { createDeliver } from '../../src/domain/deliveries/deliver';
import type { Delivery, DeliveryOutcome, DeliveryStore } from '../../src/domain/deliveries/delivery';
import { createDeliveryStore } from '../../src/store/deliveries/delivery-store';
import { SCHEMA } from '../../src/store/indexes';

const HOUR_MS = 3_600_000;
const name = uniqueName('delivery_store');

describe('concurrent attempts of a delivery', () => {
  let database: Database;
  let store: DeliveryStore;
  beforeAll(async () => {
    database = await connectDatabase(testMongodbUri(), name);
    await migrate(database.connection, SCHEMA);
    store = createDeliveryStore(database.connection);
  });
  afterAll(async () => {
    await database.close();
    await dropDatabase(name);
  });

  const insert = async (): Promise<Delivery> => {
    const now = new Date();
    const delivery: Delivery = {
      id: uuidv7(),
      workflowId: uuidv7(),
      ownerId: 'o',
      versionId: uuidv7(),
      node: 'Webhook',
      method: 'POST',
      path: 'p',
      state: 'pending',
      reason: 'SERVICE_UNAVAILABLE',
      message: 'Gone.',
      attempts: 0,
      bytes: 2,
      input: Buffer.from('[]'),
      idempotencyKey: '',
      receivedAt: now,
      nextAttemptAt: now,
      expiresAt: new Date(now.getTime() + HOUR_MS),
    };
    await store.insert(delivery);
    return delivery;
  };
  const delivered = (executionId: string): DeliveryOutcome => ({
    kind: 'delivered',
    executionId,
    at: new Date(),
    expiresAt: new Date(Date.now() + HOUR_MS),
  });

  it('are won by one of several that saw the same state', async () => {
    const seen = await insert();
    const later = new Date(Date.now() + HOUR_MS);
    const taken = await Promise.all(Array.from({ length: 5 }, () => store.take(seen, later)));
    expect(taken.filter((isTaken) => isTaken)).toHaveLength(1);
    expect(await store.find(seen.id)).toMatchObject({ state: 'pending', attempts: 1, nextAttemptAt: later });
  });

  it('leave it delivered, whatever the outcome of a slower one', async () => {
    const { id } = await insert();
    await store.recordOutcome(id, delivered('first'));
    for (const outcome of [
      { kind: 'failed', reason: 'QUEUE_FULL', message: 'Full.' },
      { kind: 'refused', reason: 'WORKFLOW_NOT_RUNNABLE', message: 'Broken.' },
      delivered('second'),
    ] as const)
      await store.recordOutcome(id, outcome);
    expect(await store.find(id)).toMatchObject({
      state: 'delivered',
      executionId: 'first',
      reason: 'SERVICE_UNAVAILABLE',
    });
  });

  it('start it once if a slower one has delivered it meanwhile', async () => {
    const seen = await insert();
    const started: string[] = [];
    const deliver = createDeliver({
      store: {
        ...store,
        take: async (...taking) => {
          const isTaken = await store.take(...taking);
          await store.recordOutcome(seen.id, delivered('slower'));
          return isTaken;
        },
      },
      workflows: {
        findHeads: (ids) =>
          Promise.resolve(ids.map((id) => ({ id, ownerId: 'o', versionId: seen.versionId, active: true }))),
      },
      start: ({ id }) => {
        started.push(id);
        return Promise.resolve({ executionId: id });
      },
      clock: Date.now,
      random: Math.random,
    });
    expect([await deliver(seen), started]).toEqual([{ kind: 'gone' }, []]);
    expect(await store.find(seen.id)).toMatchObject({ state: 'delivered', executionId: 'slower' });
  });
});
