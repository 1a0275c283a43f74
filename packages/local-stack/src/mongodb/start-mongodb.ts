import { existsSync } from 'node:fs';
import { isBuilt } from '../cache/built-once';
import { findProgram } from '../processes/find-program';
import { StackError } from '../errors';
import { downloadMongod, isMongodDownloaded } from './download-mongod';
import { ferretdbDatabase, startFerretdb } from './ferretdb';
import { ferretdbRecipe } from './ferretdb-tree';
import { mongodDatabase, startMongod } from './mongod';
import type { MongodbPlan, MongodbServer } from './mongodb-server';
import { ping } from './ping';

const DEAD_DATABASE_MS = 5_000;

/**
 * Finds a MongoDB in the fixed order: the one that `givenUri` names, `mongod` on the PATH, a mongod downloaded into the
 * cache, and last FerretDB on PostgreSQL built from package registries. Each of ours stores its files in the data
 * folder, and a data folder stays with the kind of server it began with.
 *
 * @param givenUri value of `MONGODB_URI`, if it is set. Throws a sentence if nothing answers there within 5 s.
 */
export async function startMongodb(givenUri: string | undefined, plan: MongodbPlan): Promise<MongodbServer> {
  if (givenUri) return useGiven(givenUri);
  if (existsSync(ferretdbDatabase(plan.data))) return startFerretdb(plan);
  const mongod = findProgram('mongod', process.env['PATH']) ?? (await cachedMongod(plan));
  if (mongod !== undefined) return startMongod(mongod, plan);
  if (existsSync(mongodDatabase(plan.data))) {
    throw new StackError(
      `The data folder ${plan.data} was made by mongod, which is not to be found now. Put mongod on the ` +
        'PATH, or name another folder in WEFT_DATA.',
    );
  }
  return startFerretdb(plan);
}

/**
 * A cache with FerretDB and without mongod shows that the download did not work here: it is not tried at every start.
 */
async function cachedMongod({ cache, report }: MongodbPlan): Promise<string | undefined> {
  if (!isMongodDownloaded(cache) && isBuilt(cache, ferretdbRecipe(cache, report))) return undefined;
  return downloadMongod(cache, report);
}

async function useGiven(uri: string): Promise<MongodbServer> {
  const error = await ping(uri, DEAD_DATABASE_MS);
  if (error !== undefined) {
    // the address may carry a password
    const shown = uri.replace(/\/\/[^@/]*@/, '//***@');
    throw new StackError(
      `No MongoDB answers at MONGODB_URI (${shown}): ${error}. Start it, correct MONGODB_URI, or unset it to ` +
        'have one set up.',
    );
  }
  const refuse = (): Promise<void> =>
    Promise.reject(new Error('This MongoDB was not started by this stack; start the stack with ownServers.'));
  return { uri, processes: [], crash: refuse, startAgain: refuse, stop: () => Promise.resolve() };
}
