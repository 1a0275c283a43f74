import type { CreateWorkflow } from '../domain/create-workflow';
import { userOf } from './access';
import type { Methods } from './methods';

/** CreateWorkflow over gRPC. */
export const handleCreateWorkflow =
  (create: CreateWorkflow): Methods['createWorkflow'] =>
  async ({ definition, active }, context) => ({ workflow: await create(definition, active, userOf(context)) });
