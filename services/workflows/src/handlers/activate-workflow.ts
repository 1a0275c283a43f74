import type { ActivateWorkflow } from '../domain/activate-workflow';
import { userOf } from './access';
import type { Methods } from './methods';

/** ActivateWorkflow over gRPC. */
export const handleActivateWorkflow =
  (activate: ActivateWorkflow): Methods['activateWorkflow'] =>
  async ({ workflowId }, context) => ({ workflow: await activate(workflowId, userOf(context)) });
