import { connectDatabase } from '@weft/service-kit/mongo';
import { testMongodbUri } from '@weft/service-kit/testing';
import { versionModel, type VersionDocument } from '../../src/store/workflows/version-schema';

/** Access to the versions in the service's database, to change their times. */
export interface StoredVersions {
  readonly find: (id: string) => Promise<VersionDocument | undefined>;
  /** Makes the review of these versions due. */
  readonly makeDue: (...ids: readonly string[]) => Promise<void>;
  /** Like `makeDue`, with a previous review that found them unused. */
  readonly makeUnused: (...ids: readonly string[]) => Promise<void>;
  /** Stores versions that were retired long ago. */
  readonly addOld: (ids: readonly string[], workflowId: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

const LONG_AGO = new Date(0);

/** Opens the database of a service under test. */
export const openStoredVersions = async (name: string): Promise<StoredVersions> => {
  const database = await connectDatabase(testMongodbUri(), name);
  const model = versionModel(database.connection);
  const set = async (ids: readonly string[], fields: Partial<VersionDocument>): Promise<void> => {
    for (const id of ids) await model.updateOne({ _id: id }, { $set: fields }).exec();
  };
  return {
    find: async (id) => (await model.findById(id).lean<VersionDocument>().exec()) ?? undefined,
    makeDue: (...ids) => set(ids, { reviewAt: LONG_AGO }),
    makeUnused: (...ids) => set(ids, { reviewAt: LONG_AGO, foundUnusedAt: LONG_AGO }),
    addOld: async (ids, workflowId) => {
      const documents = ids.map((_id) => ({
        _id,
        workflowId,
        ownerId: 'u1',
        definition: '{}',
        bytes: 2,
        typeVersions: [],
        createdAt: LONG_AGO,
        reviewAt: LONG_AGO,
        foundUnusedAt: LONG_AGO,
      }));
      await model.insertMany(documents, { lean: true });
    },
    close: () => database.close(),
  };
};
