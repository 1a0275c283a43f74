import type { ExecutionServiceService } from '@weft/proto/executions';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import { scopedTo } from '@weft/service-kit/visibility';
import type { Within } from '../../compose';
import type { ChatReply } from '../../domain/end/reply-to-chat';
import { toExecutionMessage } from '../messages/execution-message';

type ReplyHandler = Handlers<typeof ExecutionServiceService>['replyToChat'];

const replyIn = (reply: Parameters<ReplyHandler>[0]['reply']): ChatReply => {
  if (reply?.$case === 'text') return { chatInput: reply.value };
  if (reply?.$case === 'approved') return { approved: reply.value };
  throw new InvalidRequest('The reply is not valid.', [
    { field: 'text', message: 'is required unless approved is set' },
  ]);
};

export const replyToChatHandler =
  (useCases: Within): ReplyHandler =>
  async ({ executionId, run, reply }, context) => {
    const { replyToChat } = await scopedTo(useCases, context);
    const woken = await replyToChat({ executionId, run, reply: replyIn(reply) }, context.principal);
    return { execution: toExecutionMessage(woken) };
  };
