import { withStore } from '@weft/service-kit/mongo';
import type { Connection } from 'mongoose';
import type { VersionStore } from '../domain/ports';
import type { Version } from '../domain/workflow';
import { VERSION_INDEXES, versionQueries } from './queries';
import { versionModel, type VersionDocument } from './version-schema';

const toVersion = (document: VersionDocument): Version => ({
  id: document._id,
  workflowId: document.workflowId,
  ownerId: document.ownerId,
  definition: document.definition,
  typeVersions: document.typeVersions.map(({ node, typeVersion }) => ({ node, typeVersion })),
  createdAt: document.createdAt,
});

const toDocument = ({ id, typeVersions, ...rest }: Version, reviewAt: Date): VersionDocument => ({
  _id: id,
  ...rest,
  bytes: Buffer.byteLength(rest.definition),
  typeVersions: typeVersions.map((entry) => ({ ...entry })),
  reviewAt,
});

/** Makes the indexes; those that exist are left as they are. */
export const ensureVersionIndexes = async (connection: Connection): Promise<void> => {
  await withStore(() =>
    versionModel(connection).collection.createIndexes(VERSION_INDEXES.map((index) => ({ ...index }))),
  );
};

const kept = (reviewAt: Date) => ({ $set: { reviewAt }, $unset: { foundUnusedAt: '' as const } });

/** Versions in MongoDB. */
export const createVersionStore = (connection: Connection): VersionStore => {
  const model = versionModel(connection);
  const sizes = async (ids: readonly string[]): Promise<ReadonlyMap<string, number>> => {
    const documents = await withStore(() =>
      model.find(versionQueries.byIds(ids).filter, { bytes: 1 }).lean<VersionDocument[]>().exec(),
    );
    return new Map(documents.map((document) => [document._id, document.bytes]));
  };
  return {
    insert: async (version, reviewAt) => {
      await withStore(() => model.create(toDocument(version, reviewAt)));
    },
    find: async (ids) => {
      const documents = await withStore(() =>
        model.find(versionQueries.byIds(ids).filter).lean<VersionDocument[]>().exec(),
      );
      return documents.map(toVersion);
    },
    findForRuns: async (ids, reviewAt) => {
      const documents = await withStore(() =>
        model.find(versionQueries.byIds(ids).filter).lean<VersionDocument[]>().exec(),
      );
      const unused = documents.filter(({ foundUnusedAt }) => foundUnusedAt !== undefined).map(({ _id }) => _id);
      if (unused.length === 0) return documents.map(toVersion);
      await withStore(() => model.updateMany(versionQueries.unused(unused).filter, kept(reviewAt)).exec());
      // What was removed before it could be kept does not exist.
      const left = await sizes(unused);
      return documents.filter(({ _id, foundUnusedAt }) => foundUnusedAt === undefined || left.has(_id)).map(toVersion);
    },
    sizes,
    review: async (id, reviewAt) => {
      await withStore(() => model.updateOne(versionQueries.one(id).filter, kept(reviewAt)).exec());
    },
    keepUsed: async (id, reviewAt, slackMs) => {
      const { filter } = versionQueries.one(id);
      const found = await withStore(() =>
        model.findOne(filter, { reviewAt: 1 }).lean<Pick<VersionDocument, 'reviewAt'>>().exec(),
      );
      if (found === null) return false;
      if (found.reviewAt !== undefined && found.reviewAt.getTime() >= reviewAt.getTime() - slackMs) return true;
      const { matchedCount } = await withStore(() => model.updateOne(filter, kept(reviewAt)).exec());
      return matchedCount === 1;
    },
    discard: async (id) => {
      await withStore(() => model.deleteOne(versionQueries.one(id).filter).exec());
    },
  };
};
