import { oneByOne, withStore } from '@weft/service-kit/mongo';
import { trusted, type Connection } from 'mongoose';
import { keyRange, overlappingKeys } from '@weft/node-catalogue';
import type { Listener, WorkflowStore, WriteOutcome } from '../../domain/ports';
import type { Workflow } from '../../domain/workflows/workflow';
import { orTaken } from './or-taken';
import { workflowQueries, type StoreQuery } from '../queries';
import { toDocument, toRoute, toSummary, toWorkflow } from './workflow-documents';
import { workflowModel, type WorkflowDocument } from './workflow-schema';

/** Reports a route of another active workflow, or the key of another workflow, which violates a unique index. */
const unlessTaken = <Outcome>({ id, key, activation }: Workflow, write: () => Promise<Outcome>) => {
  const routes = activation?.routes.map((route) => route.key).sort() ?? [];
  const writeRoutes = () => orTaken(`workflows ${routes.join(' ') || id}`, 'taken', write);
  return key === undefined ? writeRoutes() : oneByOne(`workflows key ${key}`, writeRoutes);
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

/** Fields that a workflow may lose. */
const OPTIONAL_FIELDS = ['activation', 'key', 'managed', 'hash', 'mcpTool', 'isMcpTool', 'outline'] as const;

const changesOf = (next: Workflow) => {
  const { _id, ...rest } = toDocument(next);
  const lost = OPTIONAL_FIELDS.filter((name) => rest[name] === undefined);
  return {
    $set: rest,
    ...(lost.length === 0 ? {} : { $unset: Object.fromEntries(lost.map((name) => [name, '' as const])) }),
  };
};

/** Workflows compared with a filter for one page. */
const MAX_COMPARED = 5_000;

/** Workflows in MongoDB. */
export const createWorkflowStore = (connection: Connection): WorkflowStore => {
  const model = workflowModel(connection);
  const findBoundary = (
    filter: StoreQuery<WorkflowDocument>['filter'],
    options: StoreQuery<WorkflowDocument>['options'],
  ) =>
    withStore(() =>
      model
        .findOne(filter, { _id: 1 }, { ...options, skip: MAX_COMPARED - 1 })
        .lean<Pick<WorkflowDocument, '_id'>>()
        .exec(),
    );
  const readMany = (ids: readonly string[], projection: Readonly<Record<string, 0 | 1>>) =>
    withStore(() => model.find(workflowQueries.many(ids).filter, projection).lean<WorkflowDocument[]>().exec());
  return {
    page: async (asked, afterId, limit, ownerId, hiddenOwnerIds) => {
      const { filter, options, compared } = workflowQueries.filteredPage(asked, afterId, ownerId, hiddenOwnerIds);
      // The index alone tells where the stretch ends.
      const last = compared === undefined ? null : await findBoundary(filter, options);
      const within = last === null ? filter : { $and: [filter, { _id: trusted({ $gte: last._id }) }] };
      const documents = await withStore(() =>
        model
          .find({ ...within, ...compared }, { activation: 0 }, { ...options, limit })
          .lean<WorkflowDocument[]>()
          .exec(),
      );
      const items = documents.map(toSummary);
      return last === null || items.length === limit ? items : { items, lastId: last._id };
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
      unlessTaken(workflow, async (): Promise<'done'> => {
        await model.create(toDocument(workflow));
        return 'done';
      }),
    update: (seen, next) =>
      unlessTaken(next, async (): Promise<WriteOutcome> => {
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
    findKeyHolder: async (key) => {
      const { filter, options } = workflowQueries.keyHolder(key);
      const shown = { ownerId: 1, isDeleted: 1 } as const;
      const found = await withStore(() => model.findOne(filter, shown, options).lean<WorkflowDocument>().exec());
      if (found === null) return undefined;
      if (!found.isDeleted) return { id: found._id, ownerId: found.ownerId };
      // An earlier release deleted it.
      await withStore(() => model.updateOne({ _id: found._id, isDeleted: true }, { $unset: { key: '' } }).exec());
      return undefined;
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
