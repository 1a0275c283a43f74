import { WaitSettings } from '@weft/proto/channels';
import type { ExecutionServiceService, FindWaitResponse } from '@weft/proto/executions';
import type { Handlers } from '@weft/service-kit/grpc';
import type { FindWait, TokenHolder } from '../domain/find-wait';

/** What waits for a token, as a message. */
export const toWaitMessage = (holder: TokenHolder): FindWaitResponse => ({
  executionId: holder._id,
  generation: holder.generation,
  workflowId: holder.workflowId,
  ownerId: holder.ownerId,
  ...(holder.wait?.settings === undefined ? {} : { settings: WaitSettings.decode(holder.wait.settings) }),
});

/** FindWait. */
export const findWaitHandler =
  (findWait: FindWait): Handlers<typeof ExecutionServiceService>['findWait'] =>
  async ({ resumeToken }) => {
    const { holder } = await findWait(resumeToken);
    return toWaitMessage(holder);
  };
