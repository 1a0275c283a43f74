import type { DeleteWorkflow } from '../domain/delete-workflow';
import { userOf } from './access';
import type { Methods } from './methods';

/** DeleteWorkflow over gRPC. */
export const handleDeleteWorkflow =
  (remove: DeleteWorkflow): Methods['deleteWorkflow'] =>
  async ({ workflowId }, context) => {
    await remove(workflowId, userOf(context));
    return {};
  };
