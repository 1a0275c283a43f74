import type { ExecutionServiceService } from '@weft/proto/executions';
import type { Handlers } from '@weft/service-kit/grpc';
import type { FindWait } from '../domain/find-wait';

/** FindWait. */
export const findWaitHandler =
  (findWait: FindWait): Handlers<typeof ExecutionServiceService>['findWait'] =>
  async ({ resumeToken }) => {
    const { holder } = await findWait(resumeToken);
    return { executionId: holder._id, generation: holder.gen, workflowId: holder.workflowId, ownerId: holder.ownerId, settingsJson: holder.await?.settings ?? '' };
  };
