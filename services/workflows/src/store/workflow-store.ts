import { withStore } from '@weft/service-kit/mongo';
import type { Connection } from 'mongoose';
import { keyRange, overlappingKeys } from '@weft/node-catalogue';
import type { Listener, WorkflowStore, WriteOutcome } from '../domain/ports';
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

/** Fields of a listener. */
const LISTENER = { ownerId: 1, routesRelease: 1, 'activation.versionId': 1, 'activation.routes': 1 } as const;

const toListener = ({ _id, ownerId, activation, routesRelease }: WorkflowDocument): Listener => ({
  workflowId: _id,
  ownerId,
  versionId: activation?.versionId ?? '',
  routes: (activation?.routes ?? []).map(toRoute),
  ...(routesRelease === undefined ? {} : { routesRelease }),
});

/** Patterns in one query: paths have at most 500 characters, and stores limit the length of an expression. */
const MAX_PATTERNS = 20;

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
      (await readMany(ids, { ownerId: 1, versionId: 1, active: 1 })).map(({ _id, ownerId, versionId, active }) => ({
        id: _id,
        ownerId,
        versionId,
        active,
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
      const { filter, options } = workflowQueries.listeners(keys);
      const documents = await withStore(() => model.find(filter, LISTENER, options).lean<WorkflowDocument[]>().exec());
      return documents.map(toListener);
    },
    findOverlap: async (keys, ownerId) => {
      // A fixed path of one part overlaps only with itself, which the unique index refuses.
      const ranges = Map.groupBy(
        keys.filter((key) => key.includes('/')),
        (key) => keyRange(key).from,
      );
      for (const [from, together] of ranges) {
        const { to } = keyRange(together[0] ?? '');
        for (let at = 0; at < together.length; at += MAX_PATTERNS) {
          const patterns = together.slice(at, at + MAX_PATTERNS).map((key) => overlappingKeys(key).source);
          const { filter, options } = workflowQueries.overlaps({ from, to }, patterns.join('|'), ownerId);
          const found = await withStore(() => model.findOne(filter, LISTENER, options).lean<WorkflowDocument>().exec());
          if (found !== null) return toListener(found);
        }
      }
      return undefined;
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
