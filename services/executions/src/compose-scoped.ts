import { onceForEach } from '@weft/service-kit/visibility';
import { createCancelExecution } from './domain/end/cancel-execution';
import { createDeleteExecution, type DeletePorts } from './domain/end/delete-execution';
import { createManageNotifications, type ManageNotificationPorts } from './domain/notifications/manage-notifications';
import { createManageSubscriptions, type ManagePorts } from './domain/notifications/manage-subscriptions';
import { scopedSubscriptions } from './domain/notifications/scoped-subscriptions';
import { createStartPartial } from './domain/partial/start-partial';
import { createListLatestExecutions } from './domain/read/latest-executions';
import { createListExecutions } from './domain/read/list-executions';
import { createManageRetryJobs } from './domain/retries/manage-retry-jobs';
import { createRetryExecution, type RetryPorts } from './domain/retries/retry-execution';
import { scopedRetryJobs } from './domain/retries/scoped-retry-jobs';
import { scopedReads, type ExecutionReads } from './domain/read/scoped-executions';
import type { Publish } from './domain/state/ports';
import { createDecideApproval } from './domain/end/decide-approval';
import { createReplyToChat } from './domain/end/reply-to-chat';
import { readChatWait } from './handlers/messages/chat-wait';
import type { Store } from './store/open-store';

/** Shared dependencies of the use cases of all visibility scopes. */
interface Shared {
  readonly reads: ExecutionReads;
  readonly retryJobs: Store['retryJobs'];
  readonly retries: Omit<RetryPorts, 'reads'>;
  readonly deletion: Omit<DeletePorts, 'cancel'>;
  readonly subscriptions: Store['subscriptions'];
  readonly notifying: ManagePorts & ManageNotificationPorts;
  readonly retentionMs: number;
  readonly publish: Publish;
}

/** Creates the use cases for the resources of users and projects, once for each visibility scope. */
export const composeScoped = (shared: Shared) => {
  const { reads: all, retryJobs, retries, deletion, notifying, retentionMs, publish } = shared;
  const { apply, clock } = deletion;
  return onceForEach((scope) => {
    const reads = scopedReads(all, scope);
    const subscriptions = createManageSubscriptions(scopedSubscriptions(shared.subscriptions, scope), notifying);
    const cancel = createCancelExecution({ reads, apply, clock, retentionMs });
    return {
      reads,
      cancel,
      decideApproval: createDecideApproval({ reads, apply, publish, clock }),
      replyToChat: createReplyToChat({ reads, apply, publish, clock, readChatWait }),
      list: createListExecutions(reads),
      listLatest: createListLatestExecutions(reads),
      remove: createDeleteExecution({ ...deletion, cancel }),
      retry: createRetryExecution({ ...retries, reads }),
      startPartial: createStartPartial({ ...retries, reads }),
      retryJobs: createManageRetryJobs(scopedRetryJobs(retryJobs, scope), clock),
      subscriptions,
      notifications: createManageNotifications(subscriptions, notifying),
    };
  });
};
