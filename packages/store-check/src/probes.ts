import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert/strict';
import { isDuplicateKey } from '@weft/service-kit/mongo';
import type { Collection, Db } from 'mongodb';

/** A document of the probes. */
export interface Row {
  readonly _id: string;
  readonly list?: readonly number[];
  readonly set?: readonly string[];
  readonly count?: number;
  readonly least?: number;
  readonly most?: number;
  readonly made?: number;
  readonly number?: number;
  readonly owner?: number | null;
  readonly group?: number;
  readonly key?: number;
  readonly name?: string;
  readonly state?: string;
  readonly writes?: number;
  readonly early?: boolean;
  readonly tags?: readonly { readonly key: number }[];
  readonly body?: Buffer;
  readonly expireAt?: Date;
}

/** A database that is dropped afterwards, with a new collection for each probe. */
export interface Scratch {
  readonly db: Db;
  readonly rows: Collection<Row>;
}

/** Something that the services do with their store. */
export interface Probe {
  readonly area: string;
  readonly what: string;
  /** @returns figures for the table @throws an error that says what is different */
  readonly run: (scratch: Scratch) => Promise<string>;
}

const idOf = (number: number): string => `row-${String(number).padStart(5, '0')}`;
const many = (count: number, row: (number: number) => Omit<Row, '_id'>): Row[] =>
  Array.from({ length: count }, (_, number) => ({ _id: idOf(number), ...row(number) }));

const isDuplicate = (error: unknown): true => {
  ok(isDuplicateKey(error), `the error is not a duplicate key (11000): ${String(error)}`);
  return true;
};

const WRITES: readonly Probe[] = [
  {
    area: 'writes',
    what: 'acknowledged by a majority, journalled',
    run: async ({ rows }) => {
      const { acknowledged } = await rows.insertOne({ _id: 'a' }, { writeConcern: { w: 'majority', journal: true } });
      strictEqual(acknowledged, true);
      return '';
    },
  },
  {
    area: 'writes',
    what: 'one insert command for many rows; each refused row is named, the others stay',
    run: async ({ db, rows }) => {
      await rows.insertOne({ _id: 'b' });
      const documents = [{ _id: 'a' }, { _id: 'b' }, { _id: 'c' }];
      const answer = await db.command({ insert: rows.collectionName, documents, ordered: false });
      deepStrictEqual(
        Array.isArray(answer['writeErrors']) ? answer['writeErrors'].map(({ index, code }) => [index, code]) : answer,
        [[1, 11_000]],
      );
      strictEqual(await rows.countDocuments(), 3);
      return '';
    },
  },
  {
    area: 'writes',
    what: '$set, $unset, $inc, $min, $max, $push, $pull, $addToSet, $setOnInsert, upserts',
    run: async ({ rows }) => {
      await rows.updateOne({ _id: 'a' }, { $setOnInsert: { made: 1 }, $set: { list: [1, 2] } }, { upsert: true });
      await rows.updateOne(
        { _id: 'a' },
        {
          $inc: { count: 2 },
          $min: { least: 3 },
          $max: { most: 3 },
          $push: { list: { $each: [3, 4], $slice: -3 } },
          $addToSet: { set: 'x' },
        },
      );
      await rows.updateOne({ _id: 'a' }, { $unset: { made: '' }, $pull: { list: 3 } });
      deepStrictEqual(await rows.findOne({ _id: 'a' }), {
        _id: 'a',
        list: [2, 4],
        count: 2,
        least: 3,
        most: 3,
        set: ['x'],
      });
      return '';
    },
  },
  {
    area: 'writes',
    what: 'a document of 15 MiB',
    run: async ({ rows }) => {
      const body = Buffer.alloc(15 * 2 ** 20, 7);
      await rows.insertOne({ _id: 'large', body });
      strictEqual(
        (await rows.findOne({ _id: 'large' }, { promoteBuffers: true }))?.['body']?.toString().length,
        body.length,
      );
      return '';
    },
  },
  {
    area: 'writes',
    what: 'ordered and unordered bulks of updates and deletions',
    run: async ({ rows }) => {
      await rows.insertMany(many(200, (number) => ({ number })));
      const updates = Array.from({ length: 200 }, (_, number) => ({
        updateOne: { filter: { _id: idOf(number), number }, update: { $set: { number: number + 1 } } },
      }));
      strictEqual((await rows.bulkWrite(updates, { ordered: false })).modifiedCount, 200);
      strictEqual((await rows.bulkWrite([{ deleteMany: { filter: { number: { $lte: 100 } } } }])).deletedCount, 100);
      return '';
    },
  },
  {
    area: 'writes',
    what: 'one winner of many racing updates',
    run: async ({ rows }) => {
      await rows.insertOne({ _id: 'a', owner: null });
      const claims = Array.from({ length: 20 }, (_, owner) =>
        rows.findOneAndUpdate({ _id: 'a', owner: null }, { $set: { owner } }, { returnDocument: 'after' }),
      );
      const won = (await Promise.all(claims)).filter((row) => row !== null);
      strictEqual(won.length, 1, `${won.length} of 20 racing claims won`);
      return '20 racing';
    },
  },
];

const READS: readonly Probe[] = [
  {
    area: 'reads',
    what: '$in, $nin, $exists, $elemMatch, $not, $regex, $or, projections, sorting',
    run: async ({ rows }) => {
      await rows.insertMany(
        many(10, (number) => ({ number, tags: [{ key: number % 3 }], ...(number < 5 ? { early: true } : {}) })),
      );
      const found = await rows
        .find(
          {
            early: { $exists: true },
            number: { $in: [1, 2, 3, 4], $nin: [4] },
            tags: { $elemMatch: { key: { $gte: 1 } } },
            $or: [{ _id: { $regex: '^row-' } }, { number: { $not: { $gt: 0 } } }],
          },
          { projection: { number: 1 } },
        )
        .sort({ number: -1 })
        .toArray();
      deepStrictEqual(found, [
        { _id: idOf(2), number: 2 },
        { _id: idOf(1), number: 1 },
      ]);
      return '';
    },
  },
  {
    area: 'reads',
    what: 'each write is seen by the next read, on any connection',
    run: async ({ rows }) => {
      await rows.insertOne({ _id: 'a', number: 0 });
      for (let number = 1; number <= 50; number += 1) {
        await rows.updateOne({ _id: 'a' }, { $set: { number } });
        const seen = await Promise.all([1, 2, 3, 4].map(() => rows.findOne({ _id: 'a' })));
        deepStrictEqual(
          seen.map((row) => row?.number),
          [number, number, number, number],
        );
      }
      return '200 reads';
    },
  },
  {
    area: 'reads',
    what: 'a find in one batch is complete while its documents change',
    run: async ({ rows }) => {
      await rows.insertMany(many(1_000, () => ({ state: 'a', writes: 0 })));
      let isOver = false;
      const write = async (): Promise<void> => {
        for (let number = 0; !isOver; number = (number + 7) % 1_000)
          await rows.updateOne({ _id: idOf(number) }, { $inc: { writes: 1 } });
      };
      const writers = [write(), write()];
      try {
        for (let round = 0; round < 20; round += 1) {
          const found = await rows.find({ state: 'a' }).batchSize(100_000).toArray();
          strictEqual(
            new Set(found.map(({ _id }) => _id)).size,
            1_000,
            'a find missed documents or returned some twice',
          );
          strictEqual(found.length, 1_000, 'a find missed documents or returned some twice');
        }
      } finally {
        isOver = true;
        await Promise.all(writers);
      }
      return '20 finds of 1,000';
    },
  },
  {
    area: 'reads',
    what: 'aggregation ($match, $group, $sum, $sort, $limit), distinct, counts with a limit',
    run: async ({ rows }) => {
      await rows.insertMany(many(30, (number) => ({ group: number % 3 })));
      const groups = await rows
        .aggregate([
          { $match: { group: { $lt: 2 } } },
          { $group: { _id: '$group', count: { $sum: 1 } } },
          { $sort: { _id: 1 } },
          { $limit: 5 },
        ])
        .toArray();
      deepStrictEqual(groups, [
        { _id: 0, count: 10 },
        { _id: 1, count: 10 },
      ]);
      deepStrictEqual((await rows.distinct('group')).sort(), [0, 1, 2]);
      strictEqual(await rows.countDocuments({ group: 0 }, { limit: 4 }), 4);
      return '';
    },
  },
  {
    area: 'reads',
    what: 'sizes of collections (collStats)',
    run: async ({ db, rows }) => {
      await rows.insertMany(many(10, (number) => ({ number })));
      const stats = await db.command({ collStats: rows.collectionName });
      ok(Number(stats['storageSize']) > 0 && Number(stats['totalIndexSize']) > 0, JSON.stringify(stats));
      return '';
    },
  },
];

const INDEXES: readonly Probe[] = [
  {
    area: 'indexes',
    what: 'unique: one of many racing inserts stays',
    run: async ({ rows }) => {
      await rows.createIndex({ name: 1 }, { name: 'name', unique: true });
      const inserts = await Promise.allSettled(
        Array.from({ length: 12 }, (_, number) => rows.insertOne({ _id: idOf(number), name: 'same' })),
      );
      const refused = inserts.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      strictEqual(refused.length, 11, `${refused.length} of 12 inserts of one value were refused`);
      refused.every(isDuplicate);
      return '12 racing';
    },
  },
  {
    area: 'indexes',
    what: 'unique and partial: only rows with the field compete, and leaving the index frees the value',
    run: async ({ rows }) => {
      await rows.createIndex(
        { key: 1 },
        { name: 'key', unique: true, partialFilterExpression: { key: { $exists: true } } },
      );
      await rows.insertMany([{ _id: 'a', key: 1 }, { _id: 'b' }, { _id: 'c' }]);
      await rejects(rows.insertOne({ _id: 'd', key: 1 }), isDuplicate);
      await rows.updateOne({ _id: 'a' }, { $unset: { key: '' } });
      await rows.insertOne({ _id: 'd', key: 1 });
      return '';
    },
  },
  {
    area: 'indexes',
    what: 'in a collection that has documents, created twice, by name in hints',
    run: async ({ rows }) => {
      await rows.insertMany(many(500, (number) => ({ group: number % 10, number })));
      const index = { key: { group: 1, number: -1 }, name: 'byGroup' } as const;
      await rows.createIndexes([index]);
      await rows.createIndexes([index]);
      const found = await rows.find({ group: 3 }).sort({ number: -1 }).hint('byGroup').limit(3).toArray();
      deepStrictEqual(
        found.map((row) => row.number),
        [493, 483, 473],
      );
      return '';
    },
  },
  {
    area: 'indexes',
    what: 'that delete expired rows (TTL)',
    run: async ({ rows }) => {
      await rows.createIndex({ expireAt: 1 }, { name: 'expiry', expireAfterSeconds: 0 });
      const found = await rows.indexes();
      strictEqual(found.find(({ name }) => name === 'expiry')?.expireAfterSeconds, 0);
      return 'accepted; the deletion itself is not awaited';
    },
  },
];

/** All probes, in the order of the table. */
export const PROBES: readonly Probe[] = [...WRITES, ...READS, ...INDEXES];
