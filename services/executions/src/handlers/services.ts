import { AuditServiceService } from '@weft/proto/audit';
import { EventServiceService } from '@weft/proto/events';
import { EventSubscriptionServiceService } from '@weft/proto/event-subscriptions';
import { ExecutionServiceService } from '@weft/proto/executions';
import { OfferServiceService } from '@weft/proto/offers';
import { RetryServiceService } from '@weft/proto/retries';
import { RunnerServiceService } from '@weft/proto/runner';
import { AUDIT_ACCESS, auditHandlers, type AuditLog } from '@weft/service-kit/audit';
import { bindCallStreams, bindService, type BoundService } from '@weft/service-kit/grpc';
import type { RepeatDeps } from '@weft/service-kit/idempotency';
import type { UseCases } from '../compose';
import type { RunnerSigns } from '../domain/claim/runner-signs';
import type { ChunkStore } from '../domain/data/chunks';
import type { Warn } from '../domain/state/ports';
import type { SegmentLog } from '../domain/data/segment-log';
import {
  CALL_STREAM_ACCESS,
  EVENT_ACCESS,
  EXECUTION_ACCESS,
  OFFER_ACCESS,
  RETRY_ACCESS,
  RUNNER_ACCESS,
  SUBSCRIPTION_ACCESS,
} from './access';
import { auditedExecutions, auditedRetries, auditedSubscriptions } from './audited';
import { createProcessEntries } from './runs/process-entries';
import {
  cancelExecutionHandler,
  deleteExecutionHandler,
  findReferencedVersionsHandler,
  getExecutionHandler,
  getExecutionCountsHandler,
  listExecutionsHandler,
  listLatestExecutionsHandler,
  readBinaryHandler,
  readExecutionDataHandler,
} from './executions';
import {
  acquireSlotHandler,
  checkClaimHandler,
  claimHandler,
  countModelTokensHandler,
  findFirstResultHandler,
  endRunnerHandler,
  heartbeatHandler,
} from './runs/claims';
import {
  checkpointHandler,
  persistHandler,
  releaseHandler,
  reportHandler,
  respondHandler,
  waitHandler,
} from './runs/steps';
import { eventHandlers } from './events/events';
import { eventSubscriptionHandlers, repeatableSubscriptions } from './events/event-subscriptions';
import { claimOfferedHandler } from './runs/offers';
import { decideApprovalHandler } from './starts/decide-approval';
import { replyToChatHandler } from './starts/reply-to-chat';
import { findWaitHandler, pollExecutionHandler, resumeExecutionHandler } from './starts/resume-execution';
import { getChunkHandler, putChunkHandler, putInputFileHandler } from './run-data/chunks';
import { nodeRunReadHandlers } from './run-data/read-items';
import { readNodeRunsHandler } from './run-data/read-node-runs';
import { retryExecutionHandler } from './starts/retry-execution';
import { retryJobHandlers } from './starts/retry-jobs';
import { startChildHandler } from './starts/start-child';
import { createStartOne, startExecutionHandler, startExecutionsHandler } from './starts/start-execution';
import { startPartialExecutionHandler } from './starts/start-partial-execution';

/** Dependencies of the handlers. */
export interface HandlerDeps {
  readonly useCases: UseCases;
  readonly log: SegmentLog;
  readonly chunks: ChunkStore;
  readonly leaseMs: number;
  readonly warn: Warn;
  readonly auditLog: AuditLog;
  readonly repeat: RepeatDeps;
  /** The readiness probe of the service. */
  readonly isReady: () => Promise<boolean>;
  readonly signs: Pick<RunnerSigns, 'ended' | 'disconnected'>;
}

const executionService = ({ useCases, chunks, log, auditLog }: HandlerDeps): BoundService => {
  const { readHeld } = useCases.readers;
  const startOne = createStartOne(useCases.startExecution, useCases.awaitResponse);
  return bindService(
    ExecutionServiceService,
    auditedExecutions(
      {
        startExecution: startExecutionHandler(startOne),
        startPartialExecution: startPartialExecutionHandler(useCases, useCases.awaitResponse),
        startExecutions: startExecutionsHandler(startOne),
        getExecution: getExecutionHandler(useCases),
        readExecutionData: readExecutionDataHandler(useCases, { chunks, log }),
        ...nodeRunReadHandlers(useCases, { chunks, log }),
        readBinary: readBinaryHandler(useCases, readHeld, chunks),
        listExecutions: listExecutionsHandler(useCases),
        listLatestExecutions: listLatestExecutionsHandler(useCases),
        getExecutionCounts: getExecutionCountsHandler(useCases.getExecutionCounts),
        deleteExecution: deleteExecutionHandler(useCases),
        cancelExecution: cancelExecutionHandler(useCases),
        decideApproval: decideApprovalHandler(useCases),
        replyToChat: replyToChatHandler(useCases),
        resumeExecution: resumeExecutionHandler(useCases.resume, useCases.awaitResponse),
        findWait: findWaitHandler(useCases.findWait),
        pollExecution: pollExecutionHandler(useCases.poll),
        putInputFile: putInputFileHandler(useCases.storeInputFile),
        checkClaim: checkClaimHandler(useCases.checkClaim),
        findReferencedVersions: findReferencedVersionsHandler(useCases.findReferencedVersions),
      },
      auditLog.record,
    ),
    EXECUTION_ACCESS,
  );
};

const retryService = ({ useCases, auditLog }: HandlerDeps): BoundService =>
  bindService(
    RetryServiceService,
    auditedRetries(
      {
        retryExecution: retryExecutionHandler(useCases),
        ...retryJobHandlers(useCases.startRetryJob, useCases),
      },
      auditLog.record,
    ),
    RETRY_ACCESS,
  );

/** Streams last as long as their time limit: they are not timed, and end when the server stops. */
const eventService = ({ useCases }: HandlerDeps): BoundService => ({
  ...bindService(EventServiceService, eventHandlers(useCases), EVENT_ACCESS),
  isUntimed: true,
  leave: useCases.followers.stop,
});

const subscriptionService = ({ useCases, auditLog, repeat }: HandlerDeps): BoundService =>
  bindService(
    EventSubscriptionServiceService,
    repeatableSubscriptions(repeat, auditedSubscriptions(eventSubscriptionHandlers(useCases), auditLog.record)),
    SUBSCRIPTION_ACCESS,
  );

const runnerService = ({ useCases, chunks, log, leaseMs, warn, isReady, signs }: HandlerDeps): BoundService => {
  const { read, readHeld, readTail } = useCases.readers;
  const processEntries = createProcessEntries(warn, isReady);
  return bindService(
    RunnerServiceService,
    {
      claim: claimHandler(useCases.claim, leaseMs),
      heartbeat: heartbeatHandler(useCases.heartbeat),
      persist: persistHandler(useCases.persist, processEntries),
      checkpoint: checkpointHandler(useCases.checkpoint, processEntries),
      report: reportHandler(useCases.report, processEntries),
      respond: respondHandler(useCases.respond),
      wait: waitHandler(useCases.wait, processEntries),
      release: releaseHandler(useCases.release, processEntries),
      endRunner: endRunnerHandler(signs.ended),
      startChild: startChildHandler(useCases.startChild),
      acquireSlot: acquireSlotHandler(useCases.acquireSlot),
      findFirstResult: findFirstResultHandler(useCases.findFirstResult),
      countModelTokens: countModelTokensHandler(useCases.countModelTokens),
      putChunk: putChunkHandler(useCases.storeUpload),
      getChunk: getChunkHandler(read, readHeld, { chunks, log, getVersion: useCases.getVersion }),
      readNodeRuns: readNodeRunsHandler(readTail, { chunks, log }),
    },
    RUNNER_ACCESS,
  );
};

const offerService = ({ useCases, leaseMs }: HandlerDeps): BoundService =>
  bindService(
    OfferServiceService,
    { claimOffered: claimOfferedHandler(useCases.claim, useCases.offersForClaims, leaseMs) },
    OFFER_ACCESS,
  );

/** The services of this process, and the streams for their calls. */
export const bindServices = (parts: HandlerDeps): readonly BoundService[] => {
  const services = [
    executionService(parts),
    retryService(parts),
    eventService(parts),
    subscriptionService(parts),
    runnerService(parts),
    offerService(parts),
    bindService(AuditServiceService, auditHandlers(parts.auditLog, 'executions'), AUDIT_ACCESS),
  ];
  return [...services, bindCallStreams(services, CALL_STREAM_ACCESS.tunnelCalls, parts.signs.disconnected)];
};
