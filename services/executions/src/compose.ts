import type { Delta } from '@weft/proto/events';
import { currentContext } from '@weft/service-kit/context';
import type { Principal } from '@weft/service-kit/auth';
import { readInTurns } from '@weft/service-kit/json';
import { SEES_ALL, type VisibilityScopes } from '@weft/service-kit/visibility';
import type { WorkflowsClient } from './clients/workflows';
import { composeClaims, composeWrites, type WriteParts } from './compose-runs';
import type { Notifications } from './compose-notifications';
import { composeScoped } from './compose-scoped';
import { createGetExecutionCounts } from './domain/read/execution-counts';
import type { Config } from './config';
import { createAwaitResponse } from './domain/wait/await-response';
import { createCancelChildren } from './domain/end/cancel-children';
import { createCheckClaim } from './domain/claim/check-claim';
import {
  createCheckpointExecution,
  createHeartbeatExecution,
  createPersistExecution,
  createReleaseExecution,
} from './domain/step/step-executions';
import type { OffersForClaims } from './domain/inline/waiting-claims';
import { createRunCompletionHooks } from './domain/end/completion-hooks';
import { createFenceExecution } from './domain/start/fence-execution';
import { createFindFirstResult } from './domain/read/first-result';
import { createCountModelTokens } from './domain/step/count-model-tokens';
import { createFindReferencedVersions } from './domain/read/find-referenced-versions';
import { createFindWait } from './domain/wait/find-wait';
import { createPollExecution } from './domain/wait/poll-execution';
import { createReleaseSlot, createFillAwaitedSlots } from './domain/claim/slots';
import { createAcquireSlot } from './domain/claim/acquire-slot';
import { MAX_FOLLOWERS, MAX_FOLLOWERS_OF_USER, MAX_WAITERS } from './domain/state/limits';
import type { Publish } from './domain/state/ports';
import { createQueueBudget } from './domain/start/queue-budget';
import { createReportExecution } from './domain/step/report-executions';
import { createRespondToCaller } from './domain/step/respond-to-caller';
import { noteRetention } from './domain/end/retention-rules';
import { createRunRetryJobs } from './domain/retries/run-retry-jobs';
import { createStartRetryJob } from './domain/retries/start-retry-job';
import { createResumeExecution } from './domain/wait/resume-execution';
import { createStartChild } from './domain/start/start-child';
import { createStartErrorWorkflow } from './domain/end/start-error-workflow';
import { createStartExecution } from './domain/start/start-execution';
import { createStoreInputFile } from './domain/data/store-input-file';
import { createStoreUpload } from './domain/step/store-upload';
import { createVersionCache } from './domain/state/version-cache';
import { createWaitExecution } from './domain/wait/wait-execution';
import { readFactsWithin } from './domain/state/workflow-version';
import { createWaiters } from './domain/wait/waiters';
import type { DeltaReaders } from './domain/event-log/delta-readers';
import { createFollowers } from './domain/event-log/followers';
import { createWakeParent } from './domain/wait/wake-parent';
import type { ExecutionRecord } from './domain/state/execution';

/** Dependencies of the use cases. */
export interface Parts extends Omit<WriteParts, 'getVersion'> {
  readonly config: Config;
  readonly workflows: WorkflowsClient;
  readonly scopes: VisibilityScopes;
  readonly publish: Publish;
  readonly notifications: Notifications;
  readonly isSaturating: (ownerId: string) => boolean;
  readonly offersForClaims: OffersForClaims;
  /** Called with executions that runners asked for. */
  readonly onClaimed: (ids: readonly string[]) => void;
  /** Called with an execution that was not followed here before. */
  readonly onFollowed: (executionId: string) => void;
  readonly deltas: DeltaReaders;
  /** Passes text on to those who stream an id. @returns false while the broker is unavailable */
  readonly sendDeltas: (id: string, deltas: readonly Delta[]) => boolean;
}

/** Percentage of the queue that the executions of one owner may use. */
const QUEUE_OWNER_SHARE = 80;
const HOUR_MS = 3_600_000;

const DAY_MS = 24 * HOUR_MS;

/** Stores the request id and the trace in a new execution: later calls about it belong to other requests. */
const withOrigin =
  <Rest extends readonly unknown[], Result>(store: (record: ExecutionRecord, ...rest: Rest) => Result) =>
  (record: ExecutionRecord, ...rest: Rest): Result => {
    const context = currentContext();
    if (context === undefined) return store(record, ...rest);
    const { requestId, span } = context;
    return store({ ...record, requestId, ...(span === undefined ? {} : { traceparent: span.traceparent }) }, ...rest);
  };

/** Composes the use cases. */
export const compose = (parts: Parts) => {
  const { config, store, workflows, scopes, publish, isSaturating, onClaimed, events, notifications, logger, clock } =
    parts;
  const { findByKey, findStart, releaseKey, findByToken, chunks, log } = store;
  const getVersion = createVersionCache(
    workflows.fetchVersion,
    noteRetention(store.retentionRules, config.retentionCount, (err) =>
      logger.warn({ err }, 'the retention limit of a workflow could not be recorded'),
    ),
    readFactsWithin(config.executionTimeoutHours * HOUR_MS),
  );
  const writes = composeWrites({ ...parts, getVersion });
  const { apply, insert, begin, readers } = writes;
  const { leaseMs } = config;
  const retentionMs = config.retentionDays * DAY_MS;
  const { read, readHeld, readTail } = readers;
  const { prepareStart } = workflows;
  const steps = { apply, chunks, log, readTail, clock, retentionMs, getVersion };
  const budget = createQueueBudget(
    store.countQueue,
    { runs: config.queueLimit, bytes: config.queueMb * 1_000_000, ownerShare: QUEUE_OWNER_SHARE },
    clock,
  );
  const claim = composeClaims(writes, {
    findHeldBack: store.findHeldBack,
    publish,
    getVersion,
    budget,
    onQueued: onClaimed,
    clock,
    leaseMs,
    retentionMs,
  });
  const { holdAwaitedMs: holdMs } = config;
  const starts = {
    prepareStart,
    getVersion,
    begin: withOrigin(begin),
    holdMs,
    isSaturating,
    insert: withOrigin(insert),
    findByKey,
    findStart,
    releaseKey,
    fences: store.fences,
    chunks,
    publish,
    readJson: readInTurns,
    clock,
    budget,
    planNotifications: notifications.known.plan,
    scopeOfRun: scopes.ofRun,
    requireVisible: async (executionId: string, user: Principal) => {
      const scope = await scopes.ofUser(user);
      if (scope.hidden.length > 0) await within(scope).reads.readHeld(executionId);
    },
  };
  const jobs = { jobs: store.retryJobs, findRetryable: store.findRetryable, findRetries: store.findRetries, clock };
  const findWait = createFindWait(findByToken);
  const wakeParent = createWakeParent({ read: readHeld, apply, publish, clock });
  const startErrorWorkflow = createStartErrorWorkflow({ ...starts, publicUrl: config.publicUrl });
  const cancelChildren = createCancelChildren({ findLiveChildren: store.findLiveChildren, apply, clock, retentionMs });
  const slotPorts = { slots: store.slots, apply, publish, clock };
  const releaseSlot = createReleaseSlot(slotPorts);
  const runHooks = createRunCompletionHooks({
    releaseSlot,
    apply,
    wakeParent,
    startErrorWorkflow,
    cancelChildren,
    notify: notifications.notify,
    warn: (facts, text) => logger.warn(facts, text),
    clock,
  });
  const within = composeScoped({
    reads: { ...readers, readPage: store.readPage },
    retryJobs: store.retryJobs,
    retries: { ...starts, read, log, fetchVersion: workflows.fetchVersion },
    subscriptions: store.subscriptions,
    notifying: notifications.managing,
    deletion: { runHooks, apply, removeAll: store.removeAll, chunks, log, clock },
    retentionMs,
    publish,
  });
  const waiters = createWaiters(store.readProgress, read, MAX_WAITERS);
  events.subscribe({
    onChanged: (executionId, record) =>
      record === undefined ? waiters.changed([executionId]) : waiters.became(record),
  });
  const followers = createFollowers({
    readPositions: store.readPositions,
    onFollowed: parts.onFollowed,
    capacity: MAX_FOLLOWERS,
    perUser: MAX_FOLLOWERS_OF_USER,
    clock: () => performance.now(),
  });
  events.subscribe({ onChanged: (executionId) => followers.hint([executionId]) });
  const awaitResponse = createAwaitResponse(waiters, read, chunks);
  return {
    apply,
    readers,
    notifications,
    getExecutionCounts: createGetExecutionCounts({
      readQueueState: store.readQueueState,
      countWithStatus: store.countWithStatus,
      clock,
    }),
    storeAll: writes.drain,
    retentionMs,
    waiters,
    followers,
    deltas: parts.deltas,
    sendDeltas: parts.sendDeltas,
    readManifests: store.readManifests,
    wakeParent,
    runHooks,
    awaitResponse,
    poll: createPollExecution({ findByToken, findByKey, read, awaitResponse }),
    startExecution: createStartExecution(starts),
    scopes,
    within,
    fence: createFenceExecution(store.insert, store.fences, clock),
    startRetryJob: createStartRetryJob(jobs),
    runRetryJobs: createRunRetryJobs({ ...jobs, retry: within(SEES_ALL).retry }),
    findWait,
    resume: createResumeExecution({ findWait, apply, publish, readJson: readInTurns, clock }),
    getVersion,
    checkClaim: createCheckClaim(readHeld, getVersion),
    findReferencedVersions: createFindReferencedVersions(store.findVersionsInUse),
    claim,
    offersForClaims: parts.offersForClaims,
    heartbeat: createHeartbeatExecution(apply, clock, leaseMs),
    persist: createPersistExecution(apply),
    checkpoint: createCheckpointExecution(steps),
    report: createReportExecution(steps),
    respond: createRespondToCaller(apply, chunks),
    wait: createWaitExecution({
      ...steps,
      wakeParent,
      limits: { runMs: config.executionTimeoutHours * HOUR_MS, waitMs: config.waitTimeoutDays * DAY_MS },
    }),
    release: createReleaseExecution({ ...steps, publish }),
    storeInputFile: createStoreInputFile(readHeld, chunks),
    storeUpload: createStoreUpload(readHeld, apply, chunks),
    acquireSlot: createAcquireSlot({ ...slotPorts, read, retentionMs }),
    findFirstResult: createFindFirstResult(readHeld, read),
    countModelTokens: createCountModelTokens(readHeld, store.tokenWindows, clock),
    fillAwaitedSlots: createFillAwaitedSlots(slotPorts),
    startChild: createStartChild({ ...starts, read, readHeld, log, apply, claim: store.claim, leaseMs, retentionMs }),
  };
};

/** The use cases of this service. */
export type UseCases = ReturnType<typeof compose>;

/** The use cases for the resources of users and projects, for one visibility scope. */
export type ScopedUseCases = ReturnType<UseCases['within']>;

/** Returns those for one caller. */
export type Within = Pick<UseCases, 'scopes' | 'within'>;
