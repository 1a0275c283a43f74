import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BSON, Binary, Decimal128, Int32, Long, ObjectId, type Db, type Document } from 'mongodb';
import { createBackUp, restoreBackUp, verifyBackUp, type BackUpPlan, type BackUpTask } from '../src/back-up';
import { connectDatabase, type Database } from '../src/mongo';
import { dropDatabase, testMongodbUri, uniqueName } from '../src/testing';

const PLAN: BackUpPlan = {
  leftOut: ['sessions'],
  owners: [
    { collection: 'areas', parts: [{ collection: 'pieces', ownerField: 'areaId' }], form: 'same' },
    { collection: 'tables', parts: [{ collection: 'rows', ownerField: 'tableId' }], form: 'after' },
    {
      collection: 'runs',
      parts: [{ collection: 'data', ownerField: 'runId' }],
      form: 'before',
      deletionField: 'deletedAt',
    },
  ],
  last: ['aVersions'],
  masterKeyFields: { secrets: 'sealed.kid' },
};
const RELEASE = '1.4.2';

interface Row extends Document {
  _id: string;
}

describe('a backup', () => {
  let folder: string;
  let names: string[];
  let databases: Database[];
  let source: Db;
  let target: Db;

  const open = async (): Promise<Db> => {
    const name = uniqueName('back-up');
    const database = await connectDatabase(testMongodbUri(), name);
    names.push(name);
    databases.push(database);
    return database.connection.getClient().db(name);
  };
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'weft-back-up-'));
    [names, databases] = [[], []];
    source = await open();
    target = await open();
  });
  afterEach(async () => {
    for (const database of databases) await database.close();
    for (const name of names) await dropDatabase(name);
    rmSync(folder, { recursive: true, force: true });
  });

  const task = (db: Db, changes: Partial<BackUpTask> = {}): BackUpTask => ({
    db,
    plan: PLAN,
    service: 'test',
    release: RELEASE,
    folder: join(folder, 'test'),
    ...changes,
  });
  const put = async (collection: string, ...documents: Row[]): Promise<void> =>
    void (await source.collection<Row>(collection).insertMany(documents));
  const rawOf = async (db: Db, collection: string): Promise<string[]> => {
    const found = await db
      .collection(collection)
      .find({}, { promoteValues: false, sort: { _id: 1 } })
      .toArray();
    return found.map((document) => createHash('sha256').update(BSON.serialize(document)).digest('hex'));
  };
  const idsOf = async (collection: string): Promise<string[]> =>
    (
      await target
        .collection<Row>(collection)
        .find({}, { sort: { _id: 1 } })
        .toArray()
    ).map(({ _id }) => _id);
  const fileOf = (name: string): string => join(folder, 'test', name);
  /** Makes a change between the read of an owner and the read of its parts, however fast either is. */
  const changeBeforeReading = (collection: string, change: () => Promise<unknown>): void => {
    const open = source.collection.bind(source);
    jest.spyOn(source, 'collection').mockImplementation((name) => {
      const opened = open(name);
      if (name !== collection) return opened;
      const find = opened.find.bind(opened);
      jest.spyOn(opened, 'find').mockImplementation((filter, options) => {
        const cursor = find(filter, options);
        const read = cursor[Symbol.asyncIterator].bind(cursor);
        cursor[Symbol.asyncIterator] = async function* () {
          await change();
          yield* read();
        };
        return cursor;
      });
      return opened;
    });
  };

  it('is refused for a database without collections, whose name may be misspelt', async () => {
    await expect(createBackUp(task(source))).rejects.toThrow(`${source.databaseName} has no collections.`);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('restores every document byte for byte, without transient state', async () => {
    await put('variables', {
      _id: 'a',
      int: new Int32(1),
      long: Long.fromString('9007199254740993'),
      double: 1.5,
      whole: 2,
      decimal: Decimal128.fromString('1.10'),
      date: new Date(0),
      bytes: new Binary(Buffer.from([0, 255])),
      id: new ObjectId(),
      nested: [{ nothing: null, text: 'é\u0000x' }],
    });
    await put('secrets', { _id: 's', sealed: { kid: 'k7', ciphertext: 'c' } });
    await put('sessions', { _id: 'x' });
    const made = await createBackUp(task(source));
    expect(made).toEqual({ collections: 8, documents: 2, unsettled: [], masterKeys: ['k7'] });
    expect(await restoreBackUp(task(target))).toEqual({ documents: 2, skipped: 0, masterKeys: ['k7'] });
    for (const collection of ['variables', 'secrets'])
      expect(await rawOf(target, collection)).toEqual(await rawOf(source, collection));
    expect(await idsOf('sessions')).toEqual([]);
  });

  it('handles many and large documents, in files that only their owner may read', async () => {
    const small = Array.from({ length: 603 }, (_, n) => ({ _id: `s${n}`, n }));
    const large = Array.from({ length: 4 }, (_, n) => ({ _id: `l${n}`, bytes: Buffer.alloc(3_000_000, n) }));
    await put('variables', ...small, ...large);
    await createBackUp(task(source));
    for (const name of readdirSync(join(folder, 'test')))
      expect([name, statSync(fileOf(name)).mode & 0o077]).toEqual([name, 0]);
    await restoreBackUp(task(target));
    expect(await target.collection('variables').countDocuments()).toBe(607);
    expect(await rawOf(target, 'variables')).toEqual(await rawOf(source, 'variables'));
  });

  it('is consistent under concurrent writes: references resolve, and deleted documents are left out', async () => {
    await put('areas', ...Array.from({ length: 40 }, (_, n) => ({ _id: `a${n}`, piece: `a${n}-0` })));
    await put('pieces', ...Array.from({ length: 40 }, (_, n) => ({ _id: `a${n}-0`, areaId: `a${n}` })));
    await put('tables', { _id: 't', next: 1 });
    await put('runs', ...Array.from({ length: 40 }, (_, n) => ({ _id: `r${n}`, data: `r${n}-0` })));
    await put('data', ...Array.from({ length: 40 }, (_, n) => ({ _id: `r${n}-0`, runId: `r${n}` })));
    let isOver = false;
    const writing = (async () => {
      for (let n = 1; !isOver; n += 1) {
        const area = `a${n % 40}`;
        await put('pieces', { _id: `${area}-${n}`, areaId: area });
        const before = await source
          .collection<Row>('areas')
          .findOneAndUpdate({ _id: area }, { $set: { piece: `${area}-${n}` } });
        await source.collection<Row>('pieces').deleteOne({ _id: String(before?.['piece']) });
        const table = await source.collection<Row>('tables').findOneAndUpdate({ _id: 't' }, { $inc: { next: 1 } });
        await put('rows', { _id: `t:${String(table?.['next'])}`, tableId: 't', row: table?.['next'] });
        await source.collection<Row>('runs').updateOne({ _id: `r${n}` }, { $set: { deletedAt: n } });
        await source.collection<Row>('data').deleteMany({ runId: `r${n}` });
        await source.collection<Row>('runs').deleteOne({ _id: `r${n}` });
      }
    })();
    try {
      await createBackUp(task(source));
    } finally {
      isOver = true;
      await writing;
    }
    await restoreBackUp(task(target));
    const pieces = new Set(await idsOf('pieces'));
    for (const area of await target.collection('areas').find().toArray())
      expect([area['_id'], pieces.has(String(area['piece']))]).toEqual([area['_id'], true]);
    const table = await target.collection('tables').findOne();
    for (const row of await target.collection('rows').find().toArray())
      expect(Number(row['row'])).toBeLessThan(Number(table?.['next']));
    const data = new Set(await idsOf('data'));
    const runs = await target.collection('runs').find().toArray();
    for (const { _id: id, deletedAt } of runs)
      if (deletedAt === undefined) expect([id, data.has(`${String(id)}-0`)]).toEqual([id, true]);
    const known = new Set(runs.map(({ _id }) => `${String(_id)}-0`));
    expect([...data].filter((id) => !known.has(id))).toEqual([]);
  });

  it('marks an owner whose parts are being deleted as being deleted', async () => {
    await put('runs', { _id: 'going', named: 1 }, { _id: 'staying', named: 1 });
    await put('data', { _id: 'going-0', runId: 'going' }, { _id: 'staying-0', runId: 'staying' });
    changeBeforeReading('data', async () => {
      await source
        .collection<Row>('runs')
        .updateOne({ _id: 'going' }, { $set: { deletedAt: 1 }, $unset: { named: 1 } });
      await source.collection<Row>('data').deleteMany({ runId: 'going' });
      await source.collection<Row>('runs').updateOne({ _id: 'staying' }, { $set: { named: 2 } });
    });
    await createBackUp(task(source));
    await restoreBackUp(task(target));
    expect(
      await target
        .collection('runs')
        .find({}, { sort: { _id: 1 } })
        .toArray(),
    ).toEqual([
      { _id: 'going', deletedAt: 1 },
      { _id: 'staying', named: 1 },
    ]);
    expect(await idsOf('data')).toEqual(['staying-0']);
  });

  it('completes despite an owner that never stops changing, names it, and is right about the others', async () => {
    await put('areas', { _id: 'calm', piece: 'calm-0' }, { _id: 'hostile', n: 0 });
    await put('pieces', { _id: 'calm-0', areaId: 'calm' });
    changeBeforeReading('pieces', () =>
      source.collection<Row>('areas').updateOne({ _id: 'hostile' }, { $inc: { n: 1 } }),
    );
    const { unsettled } = await createBackUp(task(source));
    expect(unsettled).toEqual(['areas/hostile']);
    await restoreBackUp(task(target));
    expect([await idsOf('areas'), await idsOf('pieces')]).toEqual([['calm', 'hostile'], ['calm-0']]);
  });

  it('is not restored into a database with documents, and fails before writing any', async () => {
    await put('variables', { _id: 'a' });
    await createBackUp(task(source));
    await target.collection<Row>('other').insertOne({ _id: 'mine' });
    await expect(restoreBackUp(task(target))).rejects.toThrow(/is not empty: other has documents.*drop it/);
    expect(await idsOf('variables')).toEqual([]);
  });

  it('can be restored into a migrated database', async () => {
    await put('variables', { _id: 'a' });
    await createBackUp(task(source));
    await target.collection('variables').createIndex({ key: 1 }, { name: 'key' });
    await restoreBackUp(task(target));
    expect(await idsOf('variables')).toEqual(['a']);
  });

  it('is refused without writing if a file is changed, truncated or missing', async () => {
    await put('variables', ...Array.from({ length: 50 }, (_, n) => ({ _id: `v${n}`, n })));
    await put('zLast', { _id: 'z' });
    await createBackUp(task(source));
    const path = fileOf('zLast.bson.gz');
    const whole = readFileSync(path);
    const refused = async (expected: RegExp): Promise<void> => {
      await expect(verifyBackUp(task(target))).rejects.toThrow(expected);
      await expect(restoreBackUp(task(target))).rejects.toThrow(expected);
      expect(await idsOf('variables')).toEqual([]);
    };
    writeFileSync(path, Buffer.from(whole).fill(whole[12] === 1 ? 2 : 1, 12, 13));
    await refused(/zLast\.bson\.gz is (damaged|not the file)/);
    writeFileSync(path, whole.subarray(0, whole.length - 9));
    await refused(/zLast\.bson\.gz is damaged/);
    // Another file of the same format, as after mixing up two backups.
    writeFileSync(path, readFileSync(fileOf('variables.bson.gz')));
    await refused(/is not the file that was written/);
    rmSync(path);
    await refused(/zLast\.bson\.gz is damaged/);
  });

  it('is refused by a release that cannot read it, and by another service', async () => {
    await put('variables', { _id: 'a' });
    await createBackUp(task(source));
    for (const release of ['1.3.9', '1.6.0', '2.4.2'])
      await expect(verifyBackUp(task(target, { release }))).rejects.toThrow(
        `was made by release ${RELEASE}, and this is ${release}`,
      );
    for (const release of ['1.4.0', '1.5.0']) await verifyBackUp(task(target, { release }));
    await expect(verifyBackUp(task(target, { service: 'other' }))).rejects.toThrow('is of test, not of other');
    const manifest: Record<string, unknown> = JSON.parse(readFileSync(fileOf('manifest.json'), 'utf8'));
    writeFileSync(fileOf('manifest.json'), JSON.stringify({ ...manifest, format: 2 }));
    await expect(verifyBackUp(task(target))).rejects.toThrow('the format is 2, and this release reads 1');
    writeFileSync(fileOf('manifest.json'), JSON.stringify({ ...manifest, collections: { '../x': {} } }));
    await expect(verifyBackUp(task(target))).rejects.toThrow('is damaged');
  });

  it('that was interrupted does not count as complete, and does not block the next', async () => {
    await put('variables', { _id: 'a' });
    await source.collection('zLast').insertOne({ n: 1 });
    await expect(createBackUp(task(source))).rejects.toThrow('zLast has an _id that is not a string');
    expect(readdirSync(folder)).toEqual(['test.incomplete']);
    await expect(verifyBackUp(task(target))).rejects.toThrow('this is not a complete back-up');
    await source.collection('zLast').drop();
    await createBackUp(task(source));
    expect(readdirSync(folder)).toEqual(['test']);
    await expect(createBackUp(task(source))).rejects.toThrow('exists. Name a new folder');
  });
});
