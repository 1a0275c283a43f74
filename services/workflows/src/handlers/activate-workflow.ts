import type { ActivateWorkflow } from '../domain/activate-workflow';
import { userOf, type Methods } from './methods';
import { workflowMessage } from './workflow-message';

/** ActivateWorkflow over gRPC. */
export const handleActivateWorkflow =
  (activate: ActivateWorkflow): Methods['activateWorkflow'] =>
  async ({ workflowId }, context) => ({ workflow: workflowMessage(await activate(workflowId, userOf(context))) });
