import { isDuplicateKey, withStore, type Index } from '@weft/service-kit/mongo';
import type { Connection } from 'mongoose';
import type { RestoreStore } from '../domain/read/restore';
import type { FindDue } from '../domain/read/sweep-ports';

interface RestoreDocument {
  /** Creation time of the stream. */
  _id: string;
  after: string;
  isDone: boolean;
  expireAt: Date;
}

/** Progress is useless once the stream is lost again; a day later its record may expire. */
const RETENTION_MS = 86_400_000;

/** Indexes of the progress of restoring. */
export const RESTORE_INDEXES: readonly Index[] = [{ name: 'expiry', key: { expireAt: 1 }, expireAfterSeconds: 0 }];

/** Progress of restoring a lost queue, in MongoDB. */
export const createRestoreStore = (connection: Connection, queuedAfter: FindDue['queuedAfter']): RestoreStore => {
  const restores = connection.collection<RestoreDocument>('queueRestores');
  return {
    readProgress: async (stream) => (await withStore(() => restores.findOne({ _id: stream }))) ?? undefined,
    saveProgress: async (stream, after, isDone) => {
      const progress = { after, isDone, expireAt: new Date(Date.now() + RETENTION_MS) };
      const { matchedCount } = await withStore(() =>
        restores.updateOne({ _id: stream, after: { $lte: after } }, { $set: progress }),
      );
      if (matchedCount > 0) return;
      try {
        await withStore(() => restores.insertOne({ _id: stream, ...progress }));
      } catch (error) {
        // Another replica is ahead.
        if (!isDuplicateKey(error)) throw error;
      }
    },
    queuedAfter,
  };
};
