import mongoose, { type Connection } from 'mongoose';
import { dropDatabase, testMongodbUri, uniqueName } from '@weft/service-kit/testing';
import { agreesWithInterpretation } from '../model/store-suite';

describe('a write that is interpreted in memory', () => {
  const name = uniqueName('operate');
  let connection: Connection;
  beforeAll(async () => {
    connection = await mongoose.createConnection(testMongodbUri(), { dbName: name }).asPromise();
  });
  afterAll(async () => {
    await connection.close();
    await dropDatabase(name);
  });

  it('has the same result for every record as in the store, or is refused for the same reason', async () => {
    await agreesWithInterpretation(connection);
  }, 120_000);
});
