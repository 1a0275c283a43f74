import type { CreateWorkflow } from '../domain/create-workflow';
import { userOf, type Methods } from './methods';
import { partsOf, workflowMessage } from './workflow-message';

/** CreateWorkflow over gRPC. */
export const handleCreateWorkflow =
  (create: CreateWorkflow): Methods['createWorkflow'] =>
  async (request, context) => ({
    workflow: workflowMessage(await create(partsOf(request), request.active, userOf(context))),
  });
