import type { ExecutionServiceService } from '@weft/proto/executions';
import type { EventServiceService } from '@weft/proto/events';
import type { EventSubscriptionServiceService } from '@weft/proto/event-subscriptions';
import type { RetryServiceService } from '@weft/proto/retries';
import type { CallStreamServiceService } from '@weft/proto/calls';
import type { OfferServiceService } from '@weft/proto/offers';
import type { RunnerServiceService } from '@weft/proto/runner';
import type { AccessRule } from '@weft/service-kit/grpc';

const reading: AccessRule = { users: 'executions:read' };
const changing: AccessRule = { users: 'executions:write' };
const starting: AccessRule = { users: 'workflows:write', services: ['gateway', 'workflows'] };
const running: AccessRule = { services: ['runner'] };

/** Callers of ExecutionService. */
export const EXECUTION_ACCESS: Readonly<Record<keyof typeof ExecutionServiceService, AccessRule>> = {
  startExecution: starting,
  startPartialExecution: { users: 'workflows:write' },
  // One request within a user's rate limit must not start hundreds.
  startExecutions: { services: ['gateway', 'workflows'] },
  getExecution: reading,
  readExecutionData: reading,
  getNodeRun: reading,
  readItems: reading,
  // The gateway reads the file that a run responds with.
  readBinary: { ...reading, services: ['gateway'] },
  listExecutions: reading,
  listLatestExecutions: reading,
  // Counts reveal the load of all owners.
  getExecutionCounts: { users: 'audit:read' },
  deleteExecution: changing,
  cancelExecution: changing,
  // As for starting a workflow: an approved call acts for it.
  decideApproval: { users: 'workflows:write' },
  // As for the message that started the chat.
  replyToChat: { users: 'workflows:write' },
  // A callback URL is sufficient authentication: the gateway forwards the token for any caller that has it.
  resumeExecution: { users: 'executions:write', services: ['gateway'] },
  findWait: { services: ['gateway'] },
  pollExecution: { services: ['gateway'] },
  putInputFile: { services: ['gateway'] },
  checkClaim: { services: ['credentials', 'workflows'] },
  findReferencedVersions: { services: ['workflows'] },
};

/** Callers of RetryService. */
export const RETRY_ACCESS: Readonly<Record<keyof typeof RetryServiceService, AccessRule>> = {
  retryExecution: changing,
  startRetryJob: changing,
  getRetryJob: reading,
  listRetryJobs: reading,
  cancelRetryJob: changing,
};

/** Callers of EventService. */
export const EVENT_ACCESS: Readonly<Record<keyof typeof EventServiceService, AccessRule>> = {
  listEvents: reading,
  streamEvents: reading,
  // A caller that streams a response has no right to read the execution.
  streamDeltas: { services: ['gateway'] },
  sendDeltas: { services: ['gateway'] },
};

const subscribing: AccessRule = { users: 'workflows:write' };

/** Callers of EventSubscriptionService. */
export const SUBSCRIPTION_ACCESS: Readonly<Record<keyof typeof EventSubscriptionServiceService, AccessRule>> = {
  listEventSubscriptions: reading,
  getEventSubscription: reading,
  createEventSubscription: subscribing,
  replaceEventSubscription: subscribing,
  deleteEventSubscription: subscribing,
  listNotifications: reading,
  resendNotification: subscribing,
  testEventSubscription: subscribing,
};

/** Callers of RunnerService. */
export const RUNNER_ACCESS: Readonly<Record<keyof typeof RunnerServiceService, AccessRule>> = {
  claim: running,
  heartbeat: running,
  persist: running,
  checkpoint: running,
  report: running,
  respond: running,
  wait: running,
  release: running,
  endRunner: running,
  startChild: running,
  acquireSlot: running,
  findFirstResult: running,
  countModelTokens: running,
  putChunk: running,
  getChunk: running,
  readNodeRuns: running,
};

/** Callers of OfferService. */
export const OFFER_ACCESS: Readonly<Record<keyof typeof OfferServiceService, AccessRule>> = { claimOffered: running };

/** Callers of CallStreamService. Each call on the stream must also satisfy its access rule. */
export const CALL_STREAM_ACCESS: Readonly<Record<keyof typeof CallStreamServiceService, AccessRule>> = {
  tunnelCalls: { services: ['gateway', 'runner'] },
};
