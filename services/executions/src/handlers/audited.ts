import {
  ApprovalChoice,
  type DecideApprovalRequest,
  type ExecutionServiceService,
  type ReplyToChatRequest,
} from '@weft/proto/executions';
import type { EventSubscriptionServiceService } from '@weft/proto/event-subscriptions';
import type { RetryServiceService } from '@weft/proto/retries';
import { audited, auditedForUsers, type RecordAudit } from '@weft/service-kit/audit';
import type { Handlers } from '@weft/service-kit/grpc';

type ExecutionHandlers = Handlers<typeof ExecutionServiceService>;

const ofExecution = ({ executionId }: { readonly executionId: string }) => ({ executionId });

const ofApproval = ({ executionId, run, choice }: DecideApprovalRequest) => ({
  executionId,
  run: run.slice(0, 100),
  decision: choice === ApprovalChoice.APPROVAL_CHOICE_APPROVE ? 'approve' : 'reject',
});

const ofReply = ({ executionId, run }: ReplyToChatRequest) => ({ executionId, run: run.slice(0, 100) });

/** Records what users do to executions. Starts are not recorded: the executions themselves show them. */
export const auditedExecutions = (handlers: ExecutionHandlers, record: RecordAudit): ExecutionHandlers => ({
  ...handlers,
  deleteExecution: audited(record, 'execution.delete', ofExecution, handlers.deleteExecution),
  cancelExecution: audited(record, 'execution.cancel', ofExecution, handlers.cancelExecution),
  decideApproval: audited(record, 'approval.decide', ofApproval, handlers.decideApproval),
  replyToChat: audited(record, 'chat.reply', ofReply, handlers.replyToChat),
  resumeExecution: auditedForUsers(
    record,
    'execution.resume',
    (_, response) => ({ executionId: response?.resumed?.executionId ?? '' }),
    handlers.resumeExecution,
  ),
});

/** Records retries by users. */
export const auditedRetries = (
  handlers: Handlers<typeof RetryServiceService>,
  record: RecordAudit,
): Handlers<typeof RetryServiceService> => ({
  ...handlers,
  retryExecution: audited(record, 'execution.retry', ofExecution, handlers.retryExecution),
  startRetryJob: audited(
    record,
    'retry-job.start',
    (_, response) => ({ retryJobId: response?.job?.id ?? '' }),
    handlers.startRetryJob,
  ),
  cancelRetryJob: audited(record, 'retry-job.cancel', ({ jobId }) => ({ retryJobId: jobId }), handlers.cancelRetryJob),
});

type SubscriptionHandlers = Handlers<typeof EventSubscriptionServiceService>;

const ofSubscription = ({ subscriptionId }: { readonly subscriptionId: string }) => ({ subscriptionId });

/** Records changes of event subscriptions, and requests to their receivers that users cause. */
export const auditedSubscriptions = (handlers: SubscriptionHandlers, record: RecordAudit): SubscriptionHandlers => ({
  ...handlers,
  createEventSubscription: audited(
    record,
    'event-subscription.create',
    (_, response) => ({ subscriptionId: response?.subscription?.id ?? '' }),
    handlers.createEventSubscription,
  ),
  replaceEventSubscription: audited(
    record,
    'event-subscription.replace',
    ofSubscription,
    handlers.replaceEventSubscription,
  ),
  deleteEventSubscription: audited(
    record,
    'event-subscription.delete',
    ofSubscription,
    handlers.deleteEventSubscription,
  ),
  resendNotification: audited(
    record,
    'notification.resend',
    ({ subscriptionId, executionId }) => ({ subscriptionId, executionId }),
    handlers.resendNotification,
  ),
  testEventSubscription: audited(record, 'event-subscription.test', ofSubscription, handlers.testEventSubscription),
});
