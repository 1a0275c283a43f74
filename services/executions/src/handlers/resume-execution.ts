import type { ExecutionServiceService } from '@weft/proto/executions';
import type { Handlers } from '@weft/service-kit/grpc';
import type { AwaitResponse } from '../domain/await-response';
import type { ResumeExecution } from '../domain/resume-execution';
import { toStartedMessage } from './start-execution';
import { waitOptionsOf } from './wait-options';

/** ResumeExecution. */
export const resumeExecutionHandler =
  (
    resume: ResumeExecution,
    awaitResponse: AwaitResponse,
  ): Handlers<typeof ExecutionServiceService>['resumeExecution'] =>
  async ({ resumeToken, input, wait, waitMs, generation }, context) => {
    const options = waitOptionsOf(wait, waitMs, () => context.signal);
    const resumption = {
      token: resumeToken,
      items: input,
      ...(generation === undefined ? {} : { generation: generation }),
    };
    const resumed = await awaitResponse(options, async () => ({ ...(await resume(resumption)), existing: true }));
    return { resumed: toStartedMessage(resumed) };
  };
