import { ApprovalChoice, type ExecutionServiceService } from '@weft/proto/executions';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import { scopedTo } from '@weft/service-kit/visibility';
import type { Within } from '../../compose';
import { toExecutionMessage } from '../messages/execution-message';

const decisionOf = (choice: ApprovalChoice): 'approve' | 'reject' => {
  if (choice === ApprovalChoice.APPROVAL_CHOICE_APPROVE) return 'approve';
  if (choice === ApprovalChoice.APPROVAL_CHOICE_REJECT) return 'reject';
  throw new InvalidRequest('The decision is not valid.', [{ field: 'choice', message: 'must be APPROVE or REJECT' }]);
};

export const decideApprovalHandler =
  (useCases: Within): Handlers<typeof ExecutionServiceService>['decideApproval'] =>
  async ({ executionId, run, choice, message }, context) => {
    const { decideApproval } = await scopedTo(useCases, context);
    const decision = decisionOf(choice);
    const decided = await decideApproval({ executionId, run, decision, message }, context.principal);
    return { execution: toExecutionMessage(decided) };
  };
