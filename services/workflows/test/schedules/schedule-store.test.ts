import { uuidv7 } from '@weft/service-kit/ids';
import { connectDatabase, type Database, migrate } from '@weft/service-kit/mongo';
import { dropDatabase, testMongodbUri, uniqueName } from '@weft/service-kit/testing';
import { SCHEMA } from '../../src/store/indexes';
import { createScheduleStore } from '../../src/store/schedules/schedule-store';
import { workflowModel, type WorkflowDocument } from '../../src/store/workflows/workflow-schema';

const DUE = new Date('2026-03-01T00:00:00Z');
const NEXT = new Date('2026-03-02T00:00:00Z');
const name = uniqueName('schedule_store');

const documentOf = (activationId: string): WorkflowDocument => ({
  _id: uuidv7(),
  name: 'clock',
  ownerId: 'u1',
  active: true,
  versionId: 'v1',
  definitionBytes: 1,
  isDeleted: false,
  createdAt: DUE,
  updatedAt: DUE,
  activation: {
    id: activationId,
    versionId: 'v1',
    routes: [],
    checkAt: DUE,
    schedules: [
      {
        node: 'Clock',
        index: 0,
        rule: { kind: 'everyDays', every: 1, hour: 0, minute: 0 },
        item: 'clock',
        missed: 'coalesce',
        overlap: 'allow',
        nextAt: DUE,
      },
    ],
  },
});

describe('moved schedules', () => {
  let database: Database;
  beforeAll(async () => {
    database = await connectDatabase(testMongodbUri(), name);
    await migrate(database.connection, SCHEMA);
  });
  beforeEach(() => workflowModel(database.connection).deleteMany({}).exec());
  afterAll(async () => {
    await database.close();
    await dropDatabase(name);
  });
  const found = async () => {
    const store = createScheduleStore(database.connection);
    const [seen] = await store.findDue(DUE, undefined, 10);
    if (seen === undefined) throw new Error('Nothing is due.');
    return {
      seen,
      moveOn: () => store.moveOn([{ seen, schedules: seen.schedules.map((one) => ({ ...one, nextAt: NEXT })) }]),
    };
  };
  const activationOf = async (id: string) =>
    (await workflowModel(database.connection).findById(id).lean().exec())?.activation;

  it('are stored at their next due time', async () => {
    const { _id } = await workflowModel(database.connection).create(documentOf('a1'));
    await (await found()).moveOn();
    expect(await activationOf(_id)).toMatchObject({ checkAt: NEXT, schedules: [{ nextAt: NEXT }] });
  });

  it.each([
    ['was activated again', { 'activation.id': 'a2' }],
    ['was moved on by another replica', { 'activation.checkAt': NEXT }],
  ])('stay unchanged if their workflow %s since they were read', async (_, change) => {
    const { _id } = await workflowModel(database.connection).create(documentOf('a1'));
    const { moveOn } = await found();
    await workflowModel(database.connection).updateOne({ _id }, { $set: change }).exec();
    const before = await activationOf(_id);
    await moveOn();
    expect(await activationOf(_id)).toEqual(before);
  });
});
