import { withStore } from '@weft/service-kit/mongo';
import type { Connection } from 'mongoose';
import type { Clock } from '../domain/state/ports';
import { createApplyWrite } from './executions/apply-writes';
import { chunkModel } from './run-data/chunk-schema';
import { createChunkStore } from './run-data/chunk-store';
import { createClaimExecutions, createFindHeldBack } from './executions/claim-executions';
import { executionModel } from './executions/execution-schema';
import { createFindDue, createPostponePublication } from './queue/find-due';
import {
  createCountQueue,
  createFindByKey,
  createFindByToken,
  createFindLiveChildren,
  createFindStart,
  createReleaseKey,
  createReadPage,
  createFindVersionsInUse,
} from './executions/find-executions';
import { createFindRetries, createFindRetryable, createRetryJobStore } from './retry-job-store';
import { createQuarantineStore } from './queue/quarantine-store';
import { createSpentFences } from './queue/fence-store';
import { createInsertExecution } from './executions/insert-executions';
import { createReviewRows } from './executions/owned-rows';
import { createFindExpired, createFindLiveFamilies, createRemoveExecutions } from './executions/purge-executions';
import { createNotificationStore } from './notification-store';
import { createSlotStore } from './queue/slot-store';
import { createSubscriptionStore } from './subscription-store';
import { createTokenWindowStore } from './token-window-store';
import {
  createReadExecution,
  createReadHeld,
  createReadProgress,
  createReadShown,
  createReadTail,
} from './executions/read-executions';
import { createRestoreStore } from './restore-store';
import { createFindBeyond, createRetentionRules } from './retention-rules';
import { createSegmentLog } from './run-data/segment-log';
import { segmentModel } from './run-data/segment-schema';
import { createCountWithStatus, createReadQueueState } from './queue/read-queue-state';
import { createReadFollowed, createReadManifests, createReadPositions } from './executions/read-followed';

/** All operations on the store. */
export const openStore = (connection: Connection, clock: Clock) => {
  const executions = executionModel(connection);
  const parts = chunkModel(connection);
  const segments = segmentModel(connection);
  const owned = [parts.collection.name, segments.collection.name];
  const chunks = createChunkStore(parts, clock);
  const log = createSegmentLog(segments, clock);
  const findDue = createFindDue(executions);
  const readProgress = createReadProgress(executions);
  return {
    insert: createInsertExecution(executions),
    apply: createApplyWrite(executions),
    claim: createClaimExecutions(executions),
    findHeldBack: createFindHeldBack(executions),
    read: createReadExecution(executions),
    readHeld: createReadHeld(executions),
    readShown: createReadShown(executions),
    readTail: createReadTail(executions),
    readFollowed: createReadFollowed(executions),
    readPositions: createReadPositions(executions),
    readManifests: createReadManifests(segments),
    readProgress,
    slots: createSlotStore(connection, executions, readProgress),
    readPage: createReadPage(executions),
    findByKey: createFindByKey(executions),
    findStart: createFindStart(executions),
    releaseKey: createReleaseKey(executions),
    fences: createSpentFences(connection, executions, clock),
    findByToken: createFindByToken(executions),
    findRetryable: createFindRetryable(executions),
    findRetries: createFindRetries(executions),
    retryJobs: createRetryJobStore(connection),
    findLiveChildren: createFindLiveChildren(executions),
    findDue,
    countQueue: createCountQueue(executions),
    readQueueState: createReadQueueState(executions),
    countWithStatus: createCountWithStatus(executions),
    findVersionsInUse: createFindVersionsInUse(executions),
    postponePublication: createPostponePublication(executions),
    quarantine: createQuarantineStore(connection),
    restores: createRestoreStore(connection, findDue.queuedAfter),
    chunks,
    log,
    findExpired: createFindExpired(executions),
    findLiveFamilies: createFindLiveFamilies(executions),
    removeAll: createRemoveExecutions(executions, chunks, log),
    tokenWindows: createTokenWindowStore(connection),
    subscriptions: createSubscriptionStore(connection),
    notifications: createNotificationStore(connection),
    retentionRules: createRetentionRules(connection),
    findBeyond: createFindBeyond(executions),
    countRecords: () => withStore(() => executions.estimatedDocumentCount().exec()),
    reviewRows: owned.map((collection) => createReviewRows(connection, collection, executions)),
  };
};

/** The store of this service. */
export type Store = ReturnType<typeof openStore>;
