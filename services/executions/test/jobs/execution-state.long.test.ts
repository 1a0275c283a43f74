import mongoose, { type Connection } from 'mongoose';
import { dropDatabase, testMongodbUri, uniqueName } from '@weft/service-kit/testing';
import { ALL_TRANSITIONS } from '../model/histories';
import { keepsInvariants } from '../model/store-suite';

describe('the state table in the real store', () => {
  const name = uniqueName('states');
  let connection: Connection;
  beforeAll(async () => {
    connection = await mongoose.createConnection(testMongodbUri(), { dbName: name }).asPromise();
  });
  afterAll(async () => {
    await connection.close();
    await dropDatabase(name);
  });

  it('keeps its invariants through any history, and every row of it is used', async () => {
    const seen = await keepsInvariants(connection, 10);
    expect([...seen].sort()).toEqual([...ALL_TRANSITIONS].sort());
  });
});
