import type { ExecutionServiceService } from '@weft/proto/executions';
import type { Handlers } from '@weft/service-kit/grpc';
import type { AwaitAnswer } from '../domain/await-answer';
import type { ResumeExecution } from '../domain/resume-execution';
import { startedMessage } from './start-execution';
import { waitOptionsOf } from './wait-options';

/** ResumeExecution. */
export const resumeExecutionHandler =
  (resume: ResumeExecution, awaitAnswer: AwaitAnswer): Handlers<typeof ExecutionServiceService>['resumeExecution'] =>
  async ({ resumeToken, input, wait, waitMs, generation }, context) => {
    const options = waitOptionsOf(wait, waitMs, () => context.signal);
    const resumption = {
      token: resumeToken,
      items: input,
      ...(generation === undefined ? {} : { generation: generation }),
    };
    const resumed = await awaitAnswer(options, async () => ({ ...(await resume(resumption)), existing: true }));
    return { resumed: startedMessage(resumed) };
  };
