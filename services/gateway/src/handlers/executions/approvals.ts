import { ApprovalChoice } from '@weft/proto/executions';
import { InternalError } from '@weft/service-kit/errors';
import { choice, object, readBody, text } from '../../http/shape';
import { dataAnswer } from '../../middleware/responses/write-answer';
import type { ApiHandler } from '../api-handler';
import { withoutDataText } from './executions';

const DECISIONS: ReadonlyMap<string, ApprovalChoice> = new Map([
  ['approve', ApprovalChoice.APPROVAL_CHOICE_APPROVE],
  ['reject', ApprovalChoice.APPROVAL_CHOICE_REJECT],
]);

/** Body of a decision. */
export const APPROVAL_BODY = object(
  {
    decision: choice(DECISIONS, { description: 'Whether the call is made.' }),
    message: text({
      maxLength: 2_000,
      description: 'For the record, and for the model if the call is rejected.',
    }),
  },
  { required: ['decision'] },
);

/**
 * POST /executions/:id/approvals/:run, an addition: approves or rejects a call of a tool that the run waits to make,
 * and returns the run as `GET /executions/:id?includeData=false` does. Each call is decided once.
 */
export const decideApproval: ApiHandler = async ({ id, ref, body, principal }, { executions }) => {
  const { decision = ApprovalChoice.APPROVAL_CHOICE_UNSPECIFIED, message = '' } = readBody(APPROVAL_BODY, body);
  const request = { executionId: id, run: ref, choice: decision, message };
  const { execution } = await executions.calls.decideApproval(request, { principal });
  if (execution === undefined)
    throw new InternalError(new Error('The executions service answered without the execution.'));
  return dataAnswer(withoutDataText(execution));
};
