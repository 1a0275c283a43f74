import type { GetWorkflow } from '../domain/get-workflow';
import type { Methods } from './methods';
import { workflowMessage } from './workflow-message';

/** GetWorkflow over gRPC. */
export const handleGetWorkflow = (get: GetWorkflow): Methods['getWorkflow'] => async ({ workflowId }) =>
  ({ workflow: workflowMessage(await get(workflowId)) });
