import type { Connection } from 'mongoose';
import type { Clock } from '../domain/ports';
import { createApplyWrite } from './apply-writes';
import { chunkModel, ensureChunkIndexes } from './chunk-schema';
import { createChunkStore } from './chunk-store';
import { createClaimExecutions, createFindRunsAlone } from './claim-executions';
import { ensureExecutionIndexes } from './execution-indexes';
import { executionModel } from './execution-schema';
import { createFindDue } from './find-due';
import { createCountQueue, createFindByKey, createFindByToken, createFindLiveChildren, createFindStart, createReadPage, createRemoveExecution } from './find-executions';
import { createFindRetries, createFindRetryable } from './find-retryable';
import { createFindOrphans, createRemoveParts } from './find-orphans';
import { createInsertExecution } from './insert-executions';
import { createReadExecution, createReadProgress } from './read-executions';
import { createRetryJobStore, ensureRetryJobIndexes } from './retry-job-store';
import { createRestoreStore, ensureRestoreIndexes } from './restore-store';

/** Makes the indexes that are missing, and gives everything that is done with the store. */
export const openStore = async (connection: Connection, clock: Clock) => {
  const executions = executionModel(connection);
  const parts = chunkModel(connection);
  await ensureExecutionIndexes(executions);
  await ensureChunkIndexes(parts);
  await ensureRestoreIndexes(connection);
  await ensureRetryJobIndexes(connection);
  const findDue = createFindDue(executions);
  return {
    insert: createInsertExecution(executions),
    apply: createApplyWrite(executions),
    claim: createClaimExecutions(executions),
    findRunsAlone: createFindRunsAlone(executions),
    read: createReadExecution(executions),
    readProgress: createReadProgress(executions),
    readPage: createReadPage(executions),
    findByKey: createFindByKey(executions),
    findStart: createFindStart(executions),
    findByToken: createFindByToken(executions),
    findRetryable: createFindRetryable(executions),
    findRetries: createFindRetries(executions),
    retryJobs: createRetryJobStore(connection),
    findLiveChildren: createFindLiveChildren(executions),
    findDue,
    countQueue: createCountQueue(executions),
    restores: createRestoreStore(connection, findDue.queuedAfter),
    remove: createRemoveExecution(executions),
    chunks: createChunkStore(parts),
    findOrphans: createFindOrphans(parts, executions, clock),
    removeParts: createRemoveParts(parts),
  };
};

/** The store of this service. */
export type Store = Awaited<ReturnType<typeof openStore>>;
