import type { DeactivateWorkflow } from '../domain/deactivate-workflow';
import { userOf, type Methods } from './methods';

/** DeactivateWorkflow over gRPC. */
export const handleDeactivateWorkflow =
  (deactivate: DeactivateWorkflow): Methods['deactivateWorkflow'] =>
  async ({ workflowId }, context) => ({ workflow: await deactivate(workflowId, userOf(context)) });
