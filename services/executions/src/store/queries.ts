import mongoose from 'mongoose';
import { LIVE_STATES } from '../domain/state/execution-state';
import type { PageFilter } from '../domain/read/shown-executions';
import type { RetryFilter } from '../domain/retries/retry-job';
import type { ExecutionStatus } from '../domain/state/execution-state';
import { idAt } from '../domain/state/id-at';

const { trusted } = mongoose;

/** A query of this service and the index that serves it. */
export interface Query {
  readonly filter: Readonly<Record<string, unknown>>;
  readonly sort: Readonly<Record<string, 1 | -1>>;
  /**
   * Name in execution-indexes.ts; `_id_` is the store's index. Pages and sweeps pass it as a hint: planners that guess
   * how many rows a value has sort thousands of them for a page of twenty.
   */
  readonly index: string;
}

/** A partial index serves only a query with its condition. */
const before = (time: Date) => trusted({ $exists: true, $lt: time });

/** Nearly all executions of a workflow have the same owner: with both filters, the index of the workflow serves. */
const indexOfPage = ({ workflowId, status, ownerId, customData, parentId }: PageFilter): string => {
  if (customData !== undefined) return 'custom_data';
  if (parentId !== undefined) return 'parent_id';
  if (workflowId !== undefined) return status === undefined ? 'workflow_id' : 'workflow_status_id';
  if (ownerId !== undefined) return status === undefined ? 'owner_id' : 'owner_status_id';
  return status === undefined ? '_id_' : 'status_id';
};

const ownersOf = ({ ownerId, hiddenOwnerIds = [] }: PageFilter) => {
  if (ownerId !== undefined) return { ownerId };
  return hiddenOwnerIds.length === 0 ? {} : { ownerId: trusted({ $nin: [...hiddenOwnerIds] }) };
};

/** An execution is a child of one other at most. */
const ofParent = (parentId: string | undefined) =>
  parentId === undefined ? {} : { 'parent.executionId': trusted({ $exists: true, $eq: parentId }) };

/** The conditions that the index of a page covers. */
const coveredBy = ({ workflowId, status, ownerId, customData, parentId }: PageFilter): Query['filter'] => {
  if (customData !== undefined) return { customDataPairs: trusted({ $exists: true, $eq: customData }) };
  if (parentId !== undefined) return ofParent(parentId);
  return {
    ...(workflowId === undefined ? {} : { workflowId }),
    ...(status === undefined ? {} : { status }),
    ...(workflowId !== undefined || ownerId === undefined ? {} : { ownerId }),
  };
};

/** True if executions in the index of a page may not belong to the page. */
export const isComparing = (filter: PageFilter): boolean => {
  const { reasons, modes, requestId, customData, parentId, hiddenOwnerIds = [], workflowId, status, ownerId } = filter;
  return (
    [reasons, modes, requestId].some((condition) => condition !== undefined) ||
    (customData !== undefined && parentId !== undefined) ||
    ((customData ?? parentId) !== undefined &&
      [workflowId, status, ownerId].some((condition) => condition !== undefined)) ||
    hiddenOwnerIds.length > 0
  );
};

/** The conditions that are compared with each execution. */
const comparedOf = ({ reasons, modes, requestId }: PageFilter): Query['filter'] => ({
  ...(reasons === undefined ? {} : { 'error.reason': trusted({ $in: [...reasons] }) }),
  ...(modes === undefined ? {} : { mode: trusted({ $in: [...modes] }) }),
  ...(requestId === undefined ? {} : { requestId }),
});

const idsOf = ({ before: beforeId, from }: PageFilter) =>
  beforeId === undefined && from === undefined
    ? {}
    : {
        _id: trusted({
          ...(beforeId === undefined ? {} : { $lt: beforeId }),
          ...(from === undefined ? {} : { $gte: from }),
        }),
      };

/** Every query on executions, with the index that a test verifies. */
export const QUERIES = {
  byIds: (ids: readonly string[]): Query => ({ filter: { _id: trusted({ $in: [...ids] }) }, sort: {}, index: '_id_' }),
  claimed: (ids: readonly string[], claimId: string, attempt: number): Query => ({
    filter: { _id: trusted({ $in: [...ids] }), state: 'running', claimId, 'lease.attempt': attempt },
    sort: {},
    index: '_id_',
  }),
  heldBack: (ids: readonly string[], engineStateVersions: readonly number[]): Query => ({
    filter: {
      _id: trusted({ $in: [...ids] }),
      state: 'queued',
      $or: [{ runsAlone: true }, { engineStateVersion: trusted({ $nin: [null, ...engineStateVersions] }) }],
    },
    sort: {},
    index: '_id_',
  }),
  byKeys: (keys: readonly string[]): Query => ({
    filter: { idempotencyKey: trusted({ $exists: true, $in: [...keys] }) },
    sort: {},
    index: 'dedupe',
  }),
  byMutexKeys: (keys: readonly string[]): Query => ({
    filter: { exclusiveKey: trusted({ $exists: true, $in: [...keys] }) },
    sort: {},
    index: 'exclusive',
  }),
  byToken: (tokenHash: string): Query => ({
    filter: { tokenHash: trusted({ $exists: true, $eq: tokenHash }) },
    sort: {},
    index: 'resume_tokens',
  }),
  page: (filter: PageFilter): Query => ({
    filter: {
      ...(filter.workflowId === undefined ? {} : { workflowId: filter.workflowId }),
      ...(filter.status === undefined ? {} : { status: filter.status }),
      ...ownersOf(filter),
      ...(filter.customData === undefined ? {} : coveredBy({ customData: filter.customData })),
      ...ofParent(filter.parentId),
      ...comparedOf(filter),
      ...idsOf(filter),
      deletedAt: trusted({ $exists: false }),
    },
    sort: { _id: -1 },
    index: indexOfPage(filter),
  }),
  /** The executions among which a page looks for matching ones: a covered query. */
  stretch: (filter: PageFilter): Query => ({
    filter: {
      ...coveredBy(filter),
      _id: trusted({
        // Greater than every id: also the first page has a bound in the index.
        $lt: filter.before ?? 'g',
        ...(filter.from === undefined ? {} : { $gte: filter.from }),
      }),
    },
    sort: { _id: -1 },
    index: indexOfPage(filter),
  }),
  retryable: ({ workflowId, status, reason, from, to, ownerId }: RetryFilter, after: string): Query => ({
    filter: {
      ...(workflowId === undefined ? {} : { workflowId }),
      status,
      ...(reason === undefined ? {} : { 'error.reason': reason }),
      ...(ownerId === undefined ? {} : { ownerId }),
      deletedAt: trusted({ $exists: false }),
      // Ids begin with the time of acceptance.
      _id: trusted({ $gt: after, $gte: from === undefined ? '' : idAt(from), $lt: idAt(to) }),
    },
    sort: { _id: 1 },
    index: workflowId === undefined ? 'status_id' : 'workflow_status_id',
  }),
  withStatus: (status: ExecutionStatus, fromId: string): Query => ({
    filter: { status, _id: trusted({ $gte: fromId }) },
    sort: {},
    index: 'status_id',
  }),
  retriesOf: (executionIds: readonly string[]): Query => ({
    filter: { 'retry.of': trusted({ $exists: true, $in: [...executionIds] }) },
    sort: {},
    index: 'retries',
  }),
  liveChildren: (parentId: string): Query => ({
    filter: {
      'parent.executionId': trusted({ $exists: true, $eq: parentId }),
      state: trusted({ $in: [...LIVE_STATES] }),
      'parent.detached': trusted({ $ne: true }),
    },
    sort: {},
    index: 'children',
  }),
  /** The result may be large: query the distinct roots. */
  liveOfFamilies: (rootIds: readonly string[]): Query => ({
    filter: {
      'parent.rootId': trusted({ $exists: true, $in: [...rootIds] }),
      state: trusted({ $in: [...LIVE_STATES] }),
    },
    sort: {},
    index: 'families',
  }),
  liveRoots: (ids: readonly string[]): Query => ({
    filter: { _id: trusted({ $in: [...ids] }), state: trusted({ $in: [...LIVE_STATES] }) },
    sort: {},
    index: '_id_',
  }),
  /** Executions that have not ended, or that failed. There may be many: read a limited number. */
  needingVersions: (workflowId: string): Query => ({
    filter: { workflowId, status: trusted({ $in: ['running', 'waiting', 'error'] }) },
    sort: {},
    index: 'workflow_status_id',
  }),
  expiredRecords: (now: Date): Query => ({ filter: { expireAt: before(now) }, sort: { expireAt: 1 }, index: 'expiry' }),
  queued: (): Query => ({
    filter: { state: 'queued', publishAt: trusted({ $exists: true }) },
    sort: {},
    index: 'queue',
  }),
  queuedAfter: (after: string): Query => ({
    filter: { status: 'running', state: 'queued', _id: trusted({ $gt: after }) },
    sort: { _id: 1 },
    index: 'status_id',
  }),
  waitingForSlots: (after: string): Query => ({
    filter: { waitsForSlotId: trusted({ $exists: true, $gt: after }) },
    sort: { waitsForSlotId: 1, _id: 1 },
    index: 'slot_waits',
  }),
  waitingForSlot: (slotId: string): Query => ({
    filter: { waitsForSlotId: trusted({ $exists: true, $eq: slotId }) },
    sort: { _id: 1 },
    index: 'slot_waits',
  }),
  unclaimed: (now: Date): Query => ({
    filter: { state: 'queued', publishAt: before(now) },
    sort: { publishAt: 1 },
    index: 'queue',
  }),
  running: (): Query => ({
    filter: { state: 'running', 'lease.until': trusted({ $exists: true }) },
    sort: { 'lease.until': 1 },
    index: 'leases',
  }),
  neverClaimed: (): Query => ({
    filter: { status: 'running', state: 'queued', fence: 0 },
    sort: { _id: 1 },
    index: 'status_id',
  }),
  waiting: (): Query => ({
    filter: { state: 'waiting', 'wait.checkAt': trusted({ $exists: true }) },
    sort: {},
    index: 'waits',
  }),
  pastDeadline: (now: Date): Query => ({
    filter: { deadlineAt: before(now) },
    sort: { deadlineAt: 1 },
    index: 'deadlines',
  }),
  dueWaits: (now: Date): Query => ({
    filter: { state: 'waiting', 'wait.checkAt': before(now) },
    sort: { 'wait.checkAt': 1 },
    index: 'waits',
  }),
  dueCompletionHooks: (now: Date): Query => ({
    filter: { 'postRunActions.due': before(now) },
    sort: {},
    index: 'post_run_actions',
  }),
} as const;
