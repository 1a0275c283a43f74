import { deepStrictEqual, rejects, strictEqual } from 'node:assert/strict';
import { idOf, isDuplicate, many, type Probe } from './probe';

/** Indexes and their effects. */
export const INDEXES: readonly Probe[] = [
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
