import { withStore } from '@weft/service-kit/mongo';
import type { Connection } from 'mongoose';
import type { ReviewedVersion, VersionReviews, VersionOutcome } from '../domain/collect-versions';
import { versionQueries } from './queries';
import { versionModel, type VersionDocument } from './version-schema';

type Row = Pick<VersionDocument, '_id' | 'workflowId' | 'reviewAt' | 'foundUnusedAt'>;

const toReviewed = ({ _id, workflowId, reviewAt, foundUnusedAt }: Row): ReviewedVersion[] =>
  reviewAt === undefined ? [] : [{ id: _id, workflowId, reviewAt, wasUnused: foundUnusedAt !== undefined }];

/** Each holds only if nobody put the review off meanwhile. */
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
    settle: async (outcomes) => {
      const { deletedCount } = await withStore(() => model.bulkWrite(outcomes.map(writeOf), { ordered: false }));
      return deletedCount;
    },
  };
};
