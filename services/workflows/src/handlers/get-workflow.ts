import type { Workflow } from '@weft/proto/workflows';
import { createBatcher } from '@weft/service-kit/batching';
import type { GetWorkflows } from '../domain/get-workflows';
import type { Methods } from './methods';

/** GetWorkflow over gRPC; calls that come in together are answered by one query. */
export const handleGetWorkflow = (get: GetWorkflows): Methods['getWorkflow'] => {
  const getOne = createBatcher<string, Workflow>({ flush: get, maxBatch: 50, concurrency: 4, maxQueued: 5_000 });
  return async ({ workflowId }) => ({ workflow: await getOne(workflowId) });
};
