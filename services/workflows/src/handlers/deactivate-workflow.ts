import type { DeactivateWorkflow } from '../domain/deactivate-workflow';
import { userOf, type Methods } from './methods';
import { workflowMessage } from './workflow-message';

/** DeactivateWorkflow over gRPC. */
export const handleDeactivateWorkflow =
  (deactivate: DeactivateWorkflow): Methods['deactivateWorkflow'] =>
  async ({ workflowId }, context) => ({ workflow: workflowMessage(await deactivate(workflowId, userOf(context))) });
