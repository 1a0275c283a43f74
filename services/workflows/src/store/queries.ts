import { escapePattern } from '@weft/service-kit/text';
import { trusted, type QueryFilter } from 'mongoose';
import type { WorkflowFilter } from '../domain/ports';
import type { VersionDocument } from './workflows/version-schema';
import type { WorkflowDocument } from './workflows/workflow-schema';

/** Filter for the objects of one owner; undefined: all except hidden owners. */
export const ownedBy = (ownerId: string | undefined, hiddenOwnerIds: readonly string[] = []) => {
  if (ownerId !== undefined) return { ownerId };
  return hiddenOwnerIds.length === 0 ? {} : { ownerId: trusted({ $nin: [...hiddenOwnerIds] }) };
};

/** Filter of a page, newest first: older than an id, and of one owner; undefined: all except hidden owners. */
export const ownedPage = (
  afterId: string | undefined,
  ownerId: string | undefined,
  hiddenOwnerIds?: readonly string[],
) => ({
  ...ownedBy(ownerId, hiddenOwnerIds),
  ...(afterId === undefined ? {} : { _id: trusted({ $lt: afterId }) }),
});

/** A read, or the filter of a write. A test runs each and checks the index in its plan. */
export interface StoreQuery<Document> {
  readonly filter: QueryFilter<Document>;
  /** Sort order and index hint: without fresh statistics planners choose other indexes. */
  readonly options: { readonly sort?: Record<string, 1 | -1>; readonly hint?: string };
  /** Name of the index it uses. */
  readonly index: string;
}

const byId = { options: {}, index: '_id_' } as const;

/** Names of the indexes. */
export const INDEX = {
  live: 'live',
  owner: 'owner_id',
  routes: 'routes',
  checkAt: 'check_at',
  releases: 'routes_release',
  key: 'key',
  set: 'managed_set',
  mcpTools: 'mcp_tools',
  ofWorkflow: 'workflow_id',
  review: 'review',
  credentials: 'credentials',
  apps: 'apps',
} as const;

/** The indexes of `workflows` except `_id`, created at every start. */
export const WORKFLOW_INDEXES = [
  { name: INDEX.live, key: { isDeleted: 1, _id: 1 } },
  { name: INDEX.owner, key: { ownerId: 1, isDeleted: 1, _id: 1 } },
  {
    name: INDEX.routes,
    key: { 'activation.routes.key': 1 },
    unique: true,
    partialFilterExpression: { 'activation.routes.key': { $exists: true } },
  },
  {
    name: INDEX.checkAt,
    key: { 'activation.checkAt': 1, _id: 1 },
    partialFilterExpression: { 'activation.checkAt': { $exists: true } },
  },
  {
    name: INDEX.releases,
    key: { routesRelease: 1 },
    partialFilterExpression: { routesRelease: { $exists: true } },
  },
  { name: INDEX.key, key: { key: 1 }, unique: true, partialFilterExpression: { key: { $exists: true } } },
  {
    name: INDEX.set,
    key: { 'managed.set': 1, _id: 1 },
    partialFilterExpression: { 'managed.set': { $exists: true } },
  },
  {
    name: INDEX.mcpTools,
    key: { isMcpTool: 1, _id: 1 },
    partialFilterExpression: { isMcpTool: { $exists: true } },
  },
] as const;

/** Fields that identify a state of a workflow. */
export interface SeenWorkflow {
  readonly id: string;
  readonly versionId: string;
  readonly activationId: string | undefined;
  readonly updatedAt: Date;
}

/** Every query on `workflows`. A partial index is used only if the filter repeats its condition. */
export const workflowQueries = {
  page: (
    afterId: string | undefined,
    ownerId?: string,
    hiddenOwnerIds?: readonly string[],
  ): StoreQuery<WorkflowDocument> => {
    const index = ownerId === undefined ? INDEX.live : INDEX.owner;
    return {
      filter: { isDeleted: false, ...ownedPage(afterId, ownerId, hiddenOwnerIds) },
      options: { sort: { _id: -1 }, hint: index },
      index,
    };
  },
  /** A page of the workflows that match a filter; `compared`: the conditions that no index covers, if there are any. */
  filteredPage: (
    { key, managedBy, set, search, active, mcpTools, ids }: WorkflowFilter,
    afterId: string | undefined,
    ownerId?: string,
    hiddenOwnerIds?: readonly string[],
  ): StoreQuery<WorkflowDocument> & { readonly compared?: QueryFilter<WorkflowDocument> } => {
    const pattern = search === undefined ? undefined : trusted({ $regex: escapePattern(search), $options: 'i' });
    const compared = {
      ...(pattern === undefined ? {} : { name: pattern }),
      ...(active === undefined ? {} : { active }),
      ...(managedBy === undefined ? {} : { 'managed.by': managedBy }),
      ...(set === undefined || (key === undefined && mcpTools === undefined) ? {} : { 'managed.set': set }),
      ...(mcpTools === true && key !== undefined ? { isMcpTool: true as const } : {}),
    };
    const rest = Object.keys(compared).length === 0 ? {} : { compared };
    const whole = workflowQueries.page(afterId, ownerId, hiddenOwnerIds);
    const page =
      ids === undefined
        ? whole
        : { ...whole, filter: { ...whole.filter, $and: [{ _id: trusted({ $in: [...ids] }) }] } };
    if (key !== undefined)
      return {
        filter: { ...page.filter, key: trusted({ $exists: true, $eq: key }) },
        options: { hint: INDEX.key },
        index: INDEX.key,
        ...rest,
      };
    if (mcpTools === true)
      return {
        filter: { ...page.filter, isMcpTool: trusted({ $exists: true, $eq: true }) },
        options: { sort: { _id: -1 }, hint: INDEX.mcpTools },
        index: INDEX.mcpTools,
        ...rest,
      };
    if (set === undefined) return { ...page, ...rest };
    return {
      filter: { ...page.filter, 'managed.set': trusted({ $exists: true, $eq: set }) },
      options: { sort: { _id: -1 }, hint: INDEX.set },
      index: INDEX.set,
      ...rest,
    };
  },
  keyHolder: (key: string): StoreQuery<WorkflowDocument> => ({
    filter: { key: trusted({ $exists: true, $eq: key }) },
    options: { hint: INDEX.key },
    index: INDEX.key,
  }),
  one: (id: string): StoreQuery<WorkflowDocument> => ({ filter: { _id: id, isDeleted: false }, ...byId }),
  many: (ids: readonly string[]): StoreQuery<WorkflowDocument> => ({
    filter: { _id: trusted({ $in: [...ids] }), isDeleted: false },
    ...byId,
  }),
  seen: ({ id, versionId, activationId, updatedAt }: SeenWorkflow): StoreQuery<WorkflowDocument> => ({
    filter: {
      _id: id,
      isDeleted: false,
      versionId,
      'activation.id': activationId ?? trusted({ $exists: false }),
      // If it was activated and deactivated again meanwhile, it has another etag.
      updatedAt: trusted({ $eq: updatedAt }),
    },
    ...byId,
  }),
  listeners: (keys: readonly string[]): StoreQuery<WorkflowDocument> => ({
    filter: { 'activation.routes.key': trusted({ $exists: true, $in: [...keys] }) },
    options: { hint: INDEX.routes },
    index: INDEX.routes,
  }),
  // In ascending order: a new release has a greater id, so a document that changes during the scan is not skipped.
  releases: (): StoreQuery<WorkflowDocument> => ({
    filter: { routesRelease: trusted({ $exists: true }) },
    options: { sort: { routesRelease: 1 }, hint: INDEX.releases },
    index: INDEX.releases,
  }),
  released: (ids: readonly string[]): StoreQuery<WorkflowDocument> => ({
    filter: { routesRelease: trusted({ $exists: true, $in: [...ids] }) },
    options: { hint: INDEX.releases },
    index: INDEX.releases,
  }),
  /** Workflows of other owners with a key in a range that matches a pattern. */
  overlaps: (
    { from, to }: { readonly from: string; readonly to: string },
    pattern: string,
    ownerId: string,
  ): StoreQuery<WorkflowDocument> => ({
    filter: {
      'activation.routes.key': trusted({ $exists: true }),
      // One element must meet all conditions, which also bounds the scan of the index on both sides.
      'activation.routes': trusted({ $elemMatch: { key: { $gte: from, $lt: to, $regex: pattern } } }),
      ownerId: trusted({ $ne: ownerId }),
    },
    options: { hint: INDEX.routes },
    index: INDEX.routes,
  }),
  due: (until: Date, above: Date | undefined): StoreQuery<WorkflowDocument> => ({
    filter: {
      'activation.checkAt': trusted({ $exists: true, $lte: until, ...(above === undefined ? {} : { $gt: above }) }),
    },
    options: { sort: { 'activation.checkAt': 1, _id: 1 }, hint: INDEX.checkAt },
    index: INDEX.checkAt,
  }),
  dueAt: (checkAt: Date, afterId: string): StoreQuery<WorkflowDocument> => ({
    filter: { 'activation.checkAt': trusted({ $exists: true, $eq: checkAt }), _id: trusted({ $gt: afterId }) },
    options: { sort: { 'activation.checkAt': 1, _id: 1 }, hint: INDEX.checkAt },
    index: INDEX.checkAt,
  }),
  standing: (id: string, activationId: string, checkAt: Date): StoreQuery<WorkflowDocument> => ({
    filter: { _id: id, 'activation.id': activationId, 'activation.checkAt': trusted({ $eq: checkAt }) },
    ...byId,
  }),
};

/** Queries for objects of an owner. */
export const ownershipQueries = {
  workflows: (ownerId: string): StoreQuery<WorkflowDocument> => ({
    filter: { ownerId, isDeleted: false },
    options: { hint: INDEX.owner },
    index: INDEX.owner,
  }),
};

/** The indexes of `versions` except `_id`, created at every start. */
export const VERSION_INDEXES = [
  { name: INDEX.review, key: { reviewAt: 1, _id: 1 }, partialFilterExpression: { reviewAt: { $exists: true } } },
  {
    name: INDEX.credentials,
    key: { credentialIds: 1, _id: 1 },
    partialFilterExpression: { credentialIds: { $exists: true } },
  },
  { name: INDEX.apps, key: { 'apps.name': 1, _id: 1 }, partialFilterExpression: { 'apps.name': { $exists: true } } },
  { name: INDEX.ofWorkflow, key: { workflowId: 1, _id: 1 } },
] as const;

/** Every query on `versions`. */
export const versionQueries = {
  byIds: (ids: readonly string[]): StoreQuery<VersionDocument> => ({
    filter: { _id: trusted({ $in: [...ids] }) },
    ...byId,
  }),
  one: (id: string): StoreQuery<VersionDocument> => ({ filter: { _id: id }, ...byId }),
  unused: (ids: readonly string[]): StoreQuery<VersionDocument> => ({
    filter: { _id: trusted({ $in: [...ids] }), foundUnusedAt: trusted({ $exists: true }) },
    ...byId,
  }),
  due: (now: Date): StoreQuery<VersionDocument> => ({
    filter: { reviewAt: trusted({ $exists: true, $lte: now }) },
    options: { sort: { reviewAt: 1, _id: 1 }, hint: INDEX.review },
    index: INDEX.review,
  }),
  naming: (credentialId: string, afterId: string): StoreQuery<VersionDocument> => ({
    filter: {
      credentialIds: trusted({ $exists: true, $eq: credentialId }),
      ...(afterId === '' ? {} : { _id: trusted({ $gt: afterId }) }),
    },
    options: { sort: { _id: 1 }, hint: INDEX.credentials },
    index: INDEX.credentials,
  }),
  usingApp: (app: string, afterId: string): StoreQuery<VersionDocument> => ({
    filter: {
      'apps.name': trusted({ $exists: true, $eq: app }),
      ...(afterId === '' ? {} : { _id: trusted({ $gt: afterId }) }),
    },
    options: { sort: { _id: 1 }, hint: INDEX.apps },
    index: INDEX.apps,
  }),
  ofWorkflow: (workflowId: string, afterId: string | undefined): StoreQuery<VersionDocument> => ({
    filter: { workflowId, ...(afterId === undefined ? {} : { _id: trusted({ $lt: afterId }) }) },
    options: { sort: { _id: -1 }, hint: INDEX.ofWorkflow },
    index: INDEX.ofWorkflow,
  }),
  reviewed: (id: string, reviewAt: Date): StoreQuery<VersionDocument> => ({
    filter: { _id: id, reviewAt: trusted({ $eq: reviewAt }) },
    ...byId,
  }),
};
