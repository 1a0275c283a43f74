import { setTimeout as sleep } from 'node:timers/promises';
import { checkMigrated, connectDatabase, migrate, openDatabase, type Database, type Schema } from '../src/mongo';
import { dropDatabase, testLogger, testMongodbUri, uniqueName } from '../src/testing';

const FORMER: Schema = { indexes: { users: [{ name: 'onlyOwner', key: { isOwner: 1 }, unique: true }] } };
const SCHEMA: Schema = {
  indexes: {
    users: [{ name: 'email', key: { email: 1 }, unique: true }],
    rows: [{ name: 'due', key: { dueAt: 1 }, partialFilterExpression: { dueAt: { $exists: true } } }],
  },
  outdated: [{ collection: 'users', name: 'onlyOwner' }],
};

describe('the migration of a database', () => {
  let name: string;
  let database: Database;
  beforeEach(async () => {
    name = uniqueName('migration');
    database = await connectDatabase(testMongodbUri(), name);
  });
  afterEach(async () => {
    await database.close();
    await dropDatabase(name);
  });
  const namesOf = async (collection: string): Promise<string[]> =>
    (await database.connection.collection(collection).indexes()).map((index) => String(index.name)).sort();

  it('creates missing indexes and drops conflicting ones, repeatedly and concurrently', async () => {
    await migrate(database.connection, FORMER);
    await Promise.all([1, 2, 3].map(() => migrate(database.connection, SCHEMA)));
    expect([await namesOf('users'), await namesOf('rows')]).toEqual([
      ['_id_', 'email'],
      ['_id_', 'due'],
    ]);
    await expect(checkMigrated(database.connection, SCHEMA)).resolves.toBeUndefined();
  });

  it('can be checked without changes, and the error names the remedy', async () => {
    await migrate(database.connection, FORMER);
    await expect(checkMigrated(database.connection, SCHEMA)).rejects.toThrow(
      `The database ${name} is not migrated to this version: no index users.email; outdated index users.onlyOwner; ` +
        'no index rows.due. Run "npm run migrate", or start one replica with MIGRATE_AT_START=on.',
    );
    expect(await namesOf('users')).toEqual(['_id_', 'onlyOwner']);
  });

  it('leaves indexes of a newer release, because replicas of both run side by side', async () => {
    await migrate(database.connection, SCHEMA);
    await database.connection.collection('rows').createIndex({ newer: 1 }, { name: 'newer' });
    await migrate(database.connection, SCHEMA);
    await checkMigrated(database.connection, SCHEMA);
    expect(await namesOf('rows')).toEqual(['_id_', 'due', 'newer']);
  });

  it('is waited for by a process that does not migrate itself', async () => {
    let isOpen = false;
    const opening = openDatabase({
      uri: testMongodbUri(),
      database: name,
      schema: SCHEMA,
      prepare: () => Promise.resolve(),
      logger: testLogger(),
    }).then((opened) => {
      isOpen = true;
      return opened.database.close();
    });
    await sleep(1_000);
    expect(isOpen).toBe(false);
    await migrate(database.connection, SCHEMA);
    await opening;
    expect(isOpen).toBe(true);
  });
});
