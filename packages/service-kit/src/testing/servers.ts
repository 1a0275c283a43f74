import { randomBytes } from 'node:crypto';
import mongoose from 'mongoose';

const required = (name: string): string => {
  const value = process.env[name];
  if (value === undefined || value === '')
    throw new Error(`${name} is not set: run the tests by "npm test", which starts the real servers.`);
  return value;
};

/** The MongoDB of this test run. */
export const testMongodbUri = (): string => required('MONGODB_URI');

/** The NATS server of this test run. */
export const testNatsUrl = (): string => required('NATS_URL');

/** A name unique to this test, for databases, streams and subjects. */
export const uniqueName = (prefix: string): string => `${prefix}_${randomBytes(6).toString('hex')}`;

/** Drops a test's database. */
export const dropDatabase = async (database: string): Promise<void> => {
  const connection = await mongoose.createConnection(testMongodbUri(), { dbName: database }).asPromise();
  await connection.dropDatabase();
  await connection.close();
};
