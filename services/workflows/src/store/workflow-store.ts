import { withStore } from '@weft/service-kit/mongo';
import type { Connection } from 'mongoose';
import type { WorkflowStore, WriteOutcome } from '../domain/ports';
import type { Workflow } from '../domain/workflow';
import { orTaken } from './or-taken';
import { workflowQueries } from './queries';
import { toDocument, toRoute, toSummary, toWorkflow } from './workflow-documents';
import { workflowModel, type WorkflowDocument } from './workflow-schema';

/** Reports a route of another active workflow, which violates the unique index. */
const orRouteTaken = <Outcome>({ id, activation }: Workflow, write: () => Promise<Outcome>) => {
  const routes = activation?.routes.map(({ key }) => key).sort() ?? [];
  return orTaken(`workflows ${routes.join(' ') || id}`, 'route-taken', write);
};

const changesOf = (next: Workflow) => {
  const { _id, activation, deletedAt, ...rest } = toDocument(next);
  return {
    $set: {
      ...rest,
      ...(activation === undefined ? {} : { activation }),
      ...(deletedAt === undefined ? {} : { deletedAt }),
    },
    ...(activation === undefined ? { $unset: { activation: '' as const } } : {}),
  };
};

/** Workflows in MongoDB. */
export const createWorkflowStore = (connection: Connection): WorkflowStore => {
  const model = workflowModel(connection);
  const readMany = (ids: readonly string[], projection: Readonly<Record<string, 0 | 1>>) =>
    withStore(() => model.find(workflowQueries.many(ids).filter, projection).lean<WorkflowDocument[]>().exec());
  return {
    page: async (afterId, limit, ownerId, hiddenOwnerIds) => {
      const { filter, options } = workflowQueries.page(afterId, ownerId, hiddenOwnerIds);
      const documents = await withStore(() =>
        model
          .find(filter, { activation: 0 }, { ...options, limit })
          .lean<WorkflowDocument[]>()
          .exec(),
      );
      return documents.map(toSummary);
    },
    summaries: async (ids) => (await readMany(ids, { activation: 0 })).map(toSummary),
    find: async (id) => {
      const document = await withStore(() =>
        model.findOne(workflowQueries.one(id).filter).lean<WorkflowDocument>().exec(),
      );
      return document === null ? undefined : toWorkflow(document);
    },
    findHeads: async (ids) =>
      (await readMany(ids, { ownerId: 1, versionId: 1 })).map(({ _id, ownerId, versionId }) => ({
        id: _id,
        ownerId,
        versionId,
      })),
    insert: (workflow) =>
      orRouteTaken(workflow, async (): Promise<'done'> => {
        await model.create(toDocument(workflow));
        return 'done';
      }),
    update: (seen, next) =>
      orRouteTaken(next, async (): Promise<WriteOutcome> => {
        const { filter } = workflowQueries.seen({
          id: seen.id,
          versionId: seen.versionId,
          activationId: seen.activation?.id,
          updatedAt: seen.updatedAt,
        });
        const { matchedCount } = await model.updateOne(filter, changesOf(next)).exec();
        return matchedCount === 1 ? 'done' : 'stale';
      }),
    findListeners: async (keys) => {
      const projection = { ownerId: 1, routesRelease: 1, 'activation.versionId': 1, 'activation.routes': 1 };
      const { filter, options } = workflowQueries.listeners(keys);
      const documents = await withStore(() =>
        model.find(filter, projection, options).lean<WorkflowDocument[]>().exec(),
      );
      return documents.map(({ _id, ownerId, activation, routesRelease }) => ({
        workflowId: _id,
        ownerId,
        versionId: activation?.versionId ?? '',
        routes: (activation?.routes ?? []).map(toRoute),
        ...(routesRelease === undefined ? {} : { routesRelease }),
      }));
    },
    findReleases: async (limit) => {
      const { filter, options } = workflowQueries.releases();
      const documents = await withStore(() =>
        model
          .find(filter, { routesRelease: 1 }, { ...options, limit })
          .lean<WorkflowDocument[]>()
          .exec(),
      );
      return documents.flatMap(({ _id, routesRelease }) =>
        routesRelease === undefined ? [] : [{ workflowId: _id, id: routesRelease }],
      );
    },
    endReleases: async (ids) => {
      const { filter, options } = workflowQueries.released(ids);
      await withStore(() => model.updateMany(filter, { $unset: { routesRelease: '' } }, options).exec());
    },
  };
};
