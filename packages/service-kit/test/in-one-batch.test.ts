import mongoose from 'mongoose';
import { connectDatabase, type Database } from '@weft/service-kit/mongo';
import { testMongodbUri, uniqueName } from '@weft/service-kit/testing';

const DOCUMENTS = 300;

describe('a find', () => {
  const commands: string[] = [];
  let database: Database;

  beforeAll(async () => {
    database = await connectDatabase(`${testMongodbUri()}/?monitorCommands=true`, uniqueName('batch'));
    database.connection.getClient().on('commandStarted', ({ commandName }) => commands.push(commandName));
  });
  afterAll(async () => {
    await database.connection.dropDatabase();
    await database.close();
  });

  it('is answered in one batch unless it sets a batch size, so that no concurrent write is missed', async () => {
    const model = database.connection.model('thing', new mongoose.Schema({ n: Number }));
    await model.insertMany(Array.from({ length: DOCUMENTS }, (_, n) => ({ n })));
    commands.length = 0;
    expect(await model.find({}).lean()).toHaveLength(DOCUMENTS);
    expect(commands).toEqual(['find']);
    expect(await model.find({}).batchSize(200).lean()).toHaveLength(DOCUMENTS);
    expect(commands).toEqual(['find', 'find', 'getMore']);
  });
});
