import mongoose from 'mongoose';
import { connectDatabase, deleteMatching, type Database } from '@weft/service-kit/mongo';
import { testMongodbUri, uniqueName } from '@weft/service-kit/testing';

const DOCUMENTS = 60;
const WRITERS = 4;

describe('deleteMatching', () => {
  let database: Database;

  beforeAll(async () => {
    database = await connectDatabase(testMongodbUri(), uniqueName('delete'));
  });
  afterAll(async () => {
    await database.connection.dropDatabase();
    await database.close();
  });

  it('deletes documents under concurrent writes, and counts them', async () => {
    const schema = new mongoose.Schema({ _id: Number, owner: String, seen: Number }, { versionKey: false });
    const model = database.connection.model('session', schema);
    const ids = Array.from({ length: DOCUMENTS }, (_, n) => n);
    await model.insertMany([...ids.map((_id) => ({ _id, owner: 'a' })), { _id: -1, owner: 'b' }]);
    let isDeleted = false;
    const write = async (): Promise<void> => {
      for (let seen = 0; !isDeleted; seen += 1) await model.updateMany({ owner: 'a' }, { $set: { seen } });
    };
    const writers = Array.from({ length: WRITERS }, write);

    const deleted = await Promise.all(ids.map((_id) => deleteMatching(model, { _id })));
    isDeleted = true;
    await Promise.all(writers);

    expect(deleted).toEqual(ids.map(() => 1));
    expect(await model.find({}).distinct('owner')).toEqual(['b']);
    expect(await deleteMatching(model, { owner: 'a' })).toBe(0);
  });
});
