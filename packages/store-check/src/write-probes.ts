import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { idOf, many, type Probe } from './probe';

/** Commands that write. */
export const WRITES: readonly Probe[] = [
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
