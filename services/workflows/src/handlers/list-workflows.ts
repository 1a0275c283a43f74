import type { ListWorkflows } from '../domain/list-workflows';
import type { Methods } from './methods';
import { workflowMessage } from './workflow-message';

/** ListWorkflows over gRPC. */
export const handleListWorkflows =
  (list: ListWorkflows): Methods['listWorkflows'] =>
  async ({ limit, cursor }) => {
    const page = await list(limit, cursor);
    return { workflows: page.workflows.map(workflowMessage), nextCursor: page.nextCursor };
  };
