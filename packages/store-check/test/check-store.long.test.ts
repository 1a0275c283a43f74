import { connectDatabase } from '@weft/service-kit/mongo';
import { testMongodbUri } from '@weft/service-kit/testing';
import { PROBES } from '../src/probes';
import { runChecks } from '../src/run-checks';

describe('checking a store', () => {
  it('passes on the server of the tests, and leaves no database behind', async () => {
    const results = await runChecks(testMongodbUri());
    expect(results.filter(({ outcome }) => outcome === 'fails')).toEqual([]);
    expect(results.length).toBeGreaterThan(PROBES.length);
    const { connection, close } = await connectDatabase(testMongodbUri(), 'admin');
    try {
      const { databases } = await connection.getClient().db('admin').admin().listDatabases();
      expect(databases.map(({ name }) => name).filter((name) => name.startsWith('weft_check_'))).toEqual([]);
    } finally {
      await close();
    }
  });

  it('says why a server cannot be reached', async () => {
    await expect(runChecks('mongodb://127.0.0.1:1')).rejects.toThrow('ECONNREFUSED');
  });
});
