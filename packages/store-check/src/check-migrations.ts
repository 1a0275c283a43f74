import { join } from 'node:path';
import { tryCommand } from '@weft/local-stack';
import type { MongoClient } from 'mongodb';
import type { CheckResult } from './report';

/** The services with a store. */
const SERVICES = ['executions', 'workflows', 'credentials'] as const;
const LIMIT_MS = 120_000;
const checkout = join(__dirname, '../../../..');

/**
 * Migrates an empty database of each service twice with its own program: the indexes are exactly those of this release.
 * @param prefix beginning of the names of the databases
 */
export const checkMigrations = async (
  uri: string,
  client: MongoClient,
  prefix: string,
): Promise<readonly CheckResult[]> => {
  const results: CheckResult[] = [];
  for (const service of SERVICES) {
    const database = `${prefix}_${service}`;
    const program = join(checkout, 'services', service, 'dist/src/migrate.js');
    const env = { MONGODB_URI: uri, MONGODB_DATABASE: database, LOG_LEVEL: 'error' };
    const what = `the indexes of ${service}, created twice`;
    const run = () => tryCommand(process.execPath, [program], { env, limitMs: LIMIT_MS });
    const first = await run();
    const { code, stderr } = first.code === 0 ? await run() : first;
    if (code !== 0) results.push({ area: 'indexes', what, outcome: 'fails', detail: stderr.trim() });
    else {
      const db = client.db(database);
      const collections = await db.listCollections({}, { nameOnly: true }).toArray();
      const counts = await Promise.all(
        collections.map(async ({ name }) => (await db.collection(name).indexes()).length),
      );
      const count = counts.reduce((sum, one) => sum + one, 0);
      results.push({ area: 'indexes', what, outcome: 'ok', detail: `${count} in ${collections.length} collections` });
    }
    await client.db(database).dropDatabase();
  }
  return results;
};
