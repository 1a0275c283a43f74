import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { idOf, many, type Probe } from './probe';

/** Commands that read. */
export const READS: readonly Probe[] = [
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
