import { InternalError, InvalidRequest } from '@weft/service-kit/errors';
import { flag, object, readBody, text } from '../../http/shape';
import { dataAnswer } from '../../middleware/responses/write-answer';
import type { ApiHandler } from '../api-handler';
import { withoutDataText } from './executions';

/** Body of a reply: one of the two. */
export const REPLY_BODY = object({
  text: text({ maxLength: 100_000, description: 'A message.' }),
  approved: flag({ description: 'The value of a button: its `approves`.' }),
});

/**
 * POST /executions/:id/replies/:run, an addition: replies to the message of a chat that the run waits at, and returns
 * the run as `GET /executions/:id?includeData=false` does. Each message gets one reply.
 */
export const replyToChat: ApiHandler = async ({ id, ref, body, principal }, { executions }) => {
  const { text: message, approved } = readBody(REPLY_BODY, body);
  if ((message === undefined) === (approved === undefined))
    throw new InvalidRequest('The reply is not valid.', [{ field: 'text', message: 'Set either text or approved.' }]);
  const reply =
    approved === undefined
      ? ({ $case: 'text', value: message ?? '' } as const)
      : ({ $case: 'approved', value: approved } as const);
  const { execution } = await executions.calls.replyToChat({ executionId: id, run: ref, reply }, { principal });
  if (execution === undefined)
    throw new InternalError(new Error('The executions service answered without the execution.'));
  return dataAnswer(withoutDataText(execution));
};
