import type { ReplaceWorkflow } from '../domain/replace-workflow';
import { userOf } from './access';
import type { Methods } from './methods';

/** ReplaceWorkflow over gRPC. */
export const handleReplaceWorkflow =
  (replace: ReplaceWorkflow): Methods['replaceWorkflow'] =>
  async ({ workflowId, definition, ifVersionId }, context) => ({
    workflow: await replace(
      { workflowId, definition, ifVersionId: ifVersionId === '' ? undefined : ifVersionId },
      userOf(context),
    ),
  });
