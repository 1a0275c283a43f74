import { inKeyOrder, withStore } from '@weft/service-kit/mongo';
import type { Connection } from 'mongoose';
import type { ReviewedVersion, VersionOutcome, VersionReviews } from '../../domain/versions/collect-versions';
import type { VersionStore } from '../../domain/ports';
import type { Version } from '../../domain/workflows/workflow';
import { versionQueries } from '../queries';
import { versionModel, type VersionDocument } from './version-schema';

const toVersion = (document: VersionDocument): Version => ({
  id: document._id,
  workflowId: document.workflowId,
  ownerId: document.ownerId,
  definition: document.definition,
  typeVersions: document.typeVersions.map(({ node, typeVersion }) => ({ node, typeVersion })),
  ...(document.apps === undefined ? {} : { apps: document.apps }),
  credentialIds: document.credentialIds,
  ...(document.hash === undefined ? {} : { hash: document.hash }),
  createdAt: document.createdAt,
});

const toDocument = ({ id, typeVersions, apps, credentialIds, ...rest }: Version, reviewAt: Date): VersionDocument => ({
  _id: id,
  ...rest,
  // Of the text for runs.
  bytes: Buffer.byteLength(rest.definition) + (apps === undefined ? 0 : Buffer.byteLength(JSON.stringify(apps))),
  ...(apps === undefined ? {} : { apps: apps.map((app) => ({ ...app, kinds: [...app.kinds] })) }),
  typeVersions: typeVersions.map((entry) => ({ ...entry })),
  credentialIds: [...credentialIds],
  reviewAt,
});

const reviewed = (reviewAt: Date) => ({ $set: { reviewAt }, $unset: { foundUnusedAt: '' as const } });

/** False for a definition that was sent with a start: its id is a hash, with another version of UUIDs. */
const isStoredVersion = (id: string): boolean => id[14] === '7';

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
      await withStore(() => model.updateMany(versionQueries.unused(unused).filter, reviewed(reviewAt)).exec());
      // A version that was removed before the update does not exist.
      const left = await sizes(unused);
      return documents.filter(({ _id, foundUnusedAt }) => foundUnusedAt === undefined || left.has(_id)).map(toVersion);
    },
    sizes,
    review: async (id, reviewAt) => {
      await withStore(() => model.updateOne(versionQueries.one(id).filter, reviewed(reviewAt)).exec());
    },
    recordUse: async (id, reviewAt, slackMs) => {
      const { filter } = versionQueries.one(id);
      const found = await withStore(() =>
        model.findOne(filter, { reviewAt: 1 }).lean<Pick<VersionDocument, 'reviewAt'>>().exec(),
      );
      if (found === null) return false;
      if (found.reviewAt !== undefined && found.reviewAt.getTime() >= reviewAt.getTime() - slackMs) return true;
      const { matchedCount } = await withStore(() => model.updateOne(filter, reviewed(reviewAt)).exec());
      return matchedCount === 1;
    },
    findNaming: async (credentialId, afterId, limit) => {
      const { filter, options } = versionQueries.naming(credentialId, afterId);
      const documents = await withStore(() =>
        model
          .find(filter, { workflowId: 1 }, { ...options, limit })
          .lean<Pick<VersionDocument, '_id' | 'workflowId'>[]>()
          .exec(),
      );
      return documents.map(({ _id, workflowId }) => ({ id: _id, workflowId }));
    },
    findUsingApp: async (app, afterId, limit) => {
      const { filter, options } = versionQueries.usingApp(app, afterId);
      const documents = await withStore(() =>
        model
          .find(filter, { workflowId: 1 }, { ...options, limit })
          .lean<Pick<VersionDocument, '_id' | 'workflowId'>[]>()
          .exec(),
      );
      return documents.map(({ _id, workflowId }) => ({ id: _id, workflowId }));
    },
    page: async (workflowId, afterId, limit) => {
      const { filter, options } = versionQueries.ofWorkflow(workflowId, afterId);
      const documents = await withStore(() =>
        model
          .find(filter, { createdAt: 1, hash: 1 }, { ...options, limit })
          .lean<Pick<VersionDocument, '_id' | 'createdAt' | 'hash'>[]>()
          .exec(),
      );
      const items = documents
        .filter(({ _id }) => isStoredVersion(_id))
        .map(({ _id, createdAt, hash }) => ({ id: _id, createdAt, ...(hash === undefined ? {} : { hash }) }));
      const last = documents.at(-1);
      return documents.length < limit || last === undefined || items.length === limit
        ? items
        : { items, lastId: last._id };
    },
    discard: async (id) => {
      await withStore(() => model.deleteOne(versionQueries.one(id).filter).exec());
    },
  };
};

type Row = Pick<VersionDocument, '_id' | 'workflowId' | 'reviewAt' | 'foundUnusedAt'>;

const toReviewed = ({ _id, workflowId, reviewAt, foundUnusedAt }: Row): ReviewedVersion[] =>
  reviewAt === undefined ? [] : [{ id: _id, workflowId, reviewAt, wasUnused: foundUnusedAt !== undefined }];

/** Applies only if the review was not postponed meanwhile. */
const writeOf = ({ seen: { id, reviewAt }, outcome }: VersionOutcome) => {
  const { filter } = versionQueries.reviewed(id, reviewAt);
  switch (outcome.kind) {
    case 'current':
      return { updateOne: { filter, update: { $unset: { reviewAt: '' as const, foundUnusedAt: '' as const } } } };
    case 'needed':
      return {
        updateOne: { filter, update: { $set: { reviewAt: outcome.reviewAt }, $unset: { foundUnusedAt: '' as const } } },
      };
    case 'unused':
      return { updateOne: { filter, update: { $set: { reviewAt: outcome.reviewAt, foundUnusedAt: outcome.now } } } };
    case 'remove':
      return { deleteOne: { filter } };
  }
};

/** Reviews of versions in MongoDB. */
export const createVersionReviews = (connection: Connection): VersionReviews => {
  const model = versionModel(connection);
  return {
    due: async (now, limit) => {
      const { filter, options } = versionQueries.due(now);
      const rows = await withStore(() =>
        model
          .find(filter, { workflowId: 1, reviewAt: 1, foundUnusedAt: 1 }, { ...options, limit })
          .lean<Row[]>()
          .exec(),
      );
      return rows.flatMap(toReviewed);
    },
    complete: async (outcomes) => {
      const writes = inKeyOrder(outcomes, ({ seen }) => seen.id).map(writeOf);
      const { deletedCount } = await withStore(() => model.bulkWrite(writes, { ordered: false }));
      return deletedCount;
    },
  };
};
