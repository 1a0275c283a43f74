import { withStore, type Index } from '@weft/service-kit/mongo';
import type { Connection } from 'mongoose';
import type { Quarantine } from '../../domain/claim/quarantine';

const COLLECTION = 'quarantinedVersions';

interface QuarantineDocument {
  /** Id of the version. */
  _id: string;
  expireAt: Date;
}

/** The index that ends quarantines. */
export const QUARANTINE_INDEXES: readonly Index[] = [{ name: 'expiry', key: { expireAt: 1 }, expireAfterSeconds: 0 }];

/** Versions in quarantine, in MongoDB. */
export const createQuarantineStore = (connection: Connection): Quarantine => {
  const versions = connection.collection<QuarantineDocument>(COLLECTION);
  return {
    add: async (versionId, expireAt) => {
      await withStore(() => versions.updateOne({ _id: versionId }, { $max: { expireAt } }, { upsert: true }));
    },
    latest: async (now, most) => {
      const found = await withStore(() =>
        versions
          .find({ expireAt: { $gt: now } })
          .sort({ expireAt: -1 })
          .limit(most)
          .toArray(),
      );
      return found.map(({ _id }) => _id);
    },
  };
};
