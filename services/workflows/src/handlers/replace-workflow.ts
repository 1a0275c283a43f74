import type { ReplaceWorkflow } from '../domain/replace-workflow';
import { userOf, type Methods } from './methods';
import { partsOf, workflowMessage } from './workflow-message';

/** ReplaceWorkflow over gRPC. */
export const handleReplaceWorkflow =
  (replace: ReplaceWorkflow): Methods['replaceWorkflow'] =>
  async (request, context) => {
    const ifVersionId = request.ifVersionId === '' ? undefined : request.ifVersionId;
    return {
      workflow: workflowMessage(
        await replace({ workflowId: request.workflowId, parts: partsOf(request), ifVersionId }, userOf(context)),
      ),
    };
  };
