import type { DeactivateWorkflow } from '../domain/deactivate-workflow';
import { userOf } from './access';
import type { Methods } from './methods';

/** DeactivateWorkflow over gRPC. */
export const handleDeactivateWorkflow =
  (deactivate: DeactivateWorkflow): Methods['deactivateWorkflow'] =>
  async ({ workflowId }, context) => ({ workflow: await deactivate(workflowId, userOf(context)) });
