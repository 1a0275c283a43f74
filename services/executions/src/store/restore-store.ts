import { isDuplicateKey, withStore } from '@weft/service-kit/mongo';
import type { Connection } from 'mongoose';
import type { RestoreStore } from '../domain/restore';
import type { FindDue } from '../domain/sweep-ports';

interface RestoreDocument {
  /** When the stream was made. */
  _id: string;
  after: string;
  isDone: boolean;
  expireAt: Date;
}

/** A place is of no use once the stream is lost again; the day after, its name may be forgotten. */
const RETENTION_MS = 86_400_000;

/** Makes the index that lets old places go. */
export const ensureRestoreIndexes = async (connection: Connection): Promise<void> => {
  await connection
    .collection('queueRestores')
    .createIndexes([{ name: 'expiry', key: { expireAt: 1 }, expireAfterSeconds: 0 }]);
};

/** How far the restoring of a lost queue has come, in MongoDB. */
export const createRestoreStore = (connection: Connection, queuedAfter: FindDue['queuedAfter']): RestoreStore => {
  const places = connection.collection<RestoreDocument>('queueRestores');
  return {
    placeOf: async (stream) => (await withStore(() => places.findOne({ _id: stream }))) ?? undefined,
    goOn: async (stream, after, isDone) => {
      const place = { after, isDone, expireAt: new Date(Date.now() + RETENTION_MS) };
      const { matchedCount } = await withStore(() =>
        places.updateOne({ _id: stream, after: { $lte: after } }, { $set: place }),
      );
      if (matchedCount > 0) return;
      try {
        await withStore(() => places.insertOne({ _id: stream, ...place }));
      } catch (error) {
        // Another replica has come further.
        if (!isDuplicateKey(error)) throw error;
      }
    },
    queuedAfter,
  };
};
