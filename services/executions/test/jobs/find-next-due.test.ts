import { connectDatabase, migrate, type Database } from '@weft/service-kit/mongo';
import { dropDatabase, testMongodbUri, uniqueName } from '@weft/service-kit/testing';
import { PLAIN_RUN } from '../../src/domain/testing/plain-run';
import { newExecution } from '../../src/domain/start/new-execution';
import type { ExecutionRecord } from '../../src/domain/state/execution';
import { executionModel } from '../../src/store/executions/execution-schema';
import { createFindNextDue } from '../../src/store/queue/find-next-due';
import { SCHEMA } from '../../src/store/indexes';
import { openStore, type Store } from '../../src/store/open-store';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const UNTIL = new Date(NOW + 60_000);
const SOON = new Date(NOW + 20_000);
const LATER = new Date(NOW + 120_000);

describe('the time at which the first poll finds something', () => {
  const name = uniqueName('next-due');
  let database: Database;
  let store: Store;
  beforeAll(async () => {
    database = await connectDatabase(testMongodbUri(), name);
    await migrate(database.connection, SCHEMA);
    store = openStore(database.connection, () => NOW);
  });
  beforeEach(async () => {
    for (const { collectionName } of (await database.connection.db?.collections()) ?? [])
      await database.connection.collection(collectionName).deleteMany({});
  });
  afterAll(async () => {
    await database.close();
    await dropDatabase(name);
  });
  const find = () => createFindNextDue(store, () => NOW)(UNTIL);
  const insert = async (fields: Partial<ExecutionRecord>): Promise<void> => {
    const { publishAt: _, ...record } = newExecution(PLAIN_RUN, NOW);
    const ended = { state: 'success', status: 'success' } as const;
    await executionModel(database.connection).insertMany([{ ...record, ...ended, ...fields }], { lean: true });
  };

  it('is undefined where everything has ended', async () => {
    expect(await find()).toBeUndefined();
    await insert({});
    await insert({ expireAt: LATER });
    expect(await find()).toBeUndefined();
  });

  it.each<[string, Partial<ExecutionRecord>]>([
    ['is queued', { state: 'queued', status: 'running', publishAt: LATER }],
    ['runs', { state: 'running', status: 'running', lease: { runnerId: 'r', until: LATER, attempt: 0, alone: false } }],
    ['waits for a slot', { state: 'queued', status: 'running', waitsForSlotId: 's' }],
    ['has completion hooks', { postRunActions: [{ kind: 'expire-record', when: 'end', target: '', due: SOON }] }],
  ])('is now while an execution %s', async (_, fields) => {
    await insert(fields);
    expect(await find()).toEqual(new Date(NOW));
  });

  it.each<[string, (due: Date) => Partial<ExecutionRecord>]>([
    ['its wait', (due) => ({ state: 'waiting', status: 'waiting', wait: { resumeAt: due, checkAt: due } })],
    ['its deadline', (due) => ({ state: 'waiting', status: 'waiting', deadlineAt: due })],
    ['its record', (due) => ({ expireAt: due })],
  ])('is that of an execution, of %s', async (_, fieldsAt) => {
    await insert(fieldsAt(LATER));
    expect(await find()).toBeUndefined();
    await insert(fieldsAt(SOON));
    expect(await find()).toEqual(SOON);
  });

  it('is that of retention rules, and now while a version is in quarantine', async () => {
    await database.connection
      .collection<{ _id: string; nextAt: Date }>('retentionRules')
      .insertOne({ _id: 'w', nextAt: SOON });
    expect(await find()).toEqual(SOON);
    await store.quarantine.add('v', LATER);
    expect(await find()).toEqual(new Date(NOW));
  });

  it('is that of retry jobs', async () => {
    await database.connection.collection('retryJobs').insertOne({ state: 'running', dueAt: SOON });
    expect(await find()).toEqual(SOON);
  });
});
