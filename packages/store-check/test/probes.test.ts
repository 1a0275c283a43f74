import { connectDatabase, type Database } from '@weft/service-kit/mongo';
import { dropDatabase, testMongodbUri, uniqueName } from '@weft/service-kit/testing';
import type { Db } from 'mongodb';
import { PROBES } from '../src/probes';
import type { CheckResult } from '../src/report';
import { runProbe } from '../src/run-checks';

/** A method of an object, exchanged. */
const withMethod = <Target extends object>(target: Target, name: string, method: unknown): Target =>
  new Proxy(target, {
    get: (object, key) => {
      const value: unknown = key === name ? method : Reflect.get(object, key);
      return typeof value === 'function' && key !== name ? value.bind(object) : value;
    },
  });

describe('a probe of a store', () => {
  let name: string;
  let database: Database;
  let db: Db;
  beforeEach(async () => {
    name = uniqueName('check');
    database = await connectDatabase(testMongodbUri(), name);
    db = database.connection.getClient().db(name);
  });
  afterEach(async () => {
    await database.close();
    await dropDatabase(name);
  });

  /** The results of the probes of an area on a server whose collections have another method. */
  const probe = async (area: string, method: string, made: unknown): Promise<readonly CheckResult[]> => {
    const other = withMethod(db, 'collection', (at: string) => withMethod(db.collection(at), method, made));
    const probes = PROBES.filter((one) => one.area === area);
    return Promise.all(probes.map((one, number) => runProbe(one, other, number)));
  };
  const failed = (results: readonly CheckResult[]): readonly string[] =>
    results.filter(({ outcome }) => outcome === 'fails').map(({ what }) => what.split(':')[0] ?? '');

  it('fails on a server that accepts unique indexes and does not enforce them', async () => {
    expect(failed(await probe('indexes', 'createIndex', () => Promise.resolve('name')))).toEqual([
      'unique',
      'unique and partial',
      'that delete expired rows (TTL)',
    ]);
  });

  it('fails on a server that ignores updates', async () => {
    const ignored = { acknowledged: true, matchedCount: 1, modifiedCount: 1 };
    expect(failed(await probe('writes', 'updateOne', () => Promise.resolve(ignored)))).toEqual([
      '$set, $unset, $inc, $min, $max, $push, $pull, $addToSet, $setOnInsert, upserts',
    ]);
  });

  it('fails with the message of a server that lacks a command', async () => {
    const missing = new Error('Command aggregate not supported');
    const results = await probe('reads', 'aggregate', () => {
      throw missing;
    });
    expect(results.filter(({ outcome }) => outcome === 'fails').map(({ detail }) => detail)).toEqual([missing.message]);
  });
});
