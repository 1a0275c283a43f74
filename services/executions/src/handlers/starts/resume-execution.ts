import { WaitSettings } from '@weft/proto/channels';
import { type ExecutionServiceService, type FindWaitResponse, StartWait } from '@weft/proto/executions';
import type { Handlers } from '@weft/service-kit/grpc';
import type { FindWait, TokenHolder } from '../../domain/wait/find-wait';
import type { AwaitResponse } from '../../domain/wait/await-response';
import type { ResumeExecution } from '../../domain/wait/resume-execution';
import type { PollExecution } from '../../domain/wait/poll-execution';
import { toStartedMessage } from './start-execution';
import { waitOptionsOf } from './wait-options';

/** Converts an execution that waits for a token. */
export const toWaitMessage = (holder: TokenHolder): FindWaitResponse => ({
  executionId: holder._id,
  generation: holder.generation,
  workflowId: holder.workflowId,
  ownerId: holder.ownerId,
  ...(holder.wait?.settings === undefined ? {} : { settings: WaitSettings.decode(holder.wait.settings) }),
});

export const findWaitHandler =
  (findWait: FindWait): Handlers<typeof ExecutionServiceService>['findWait'] =>
  async ({ resumeToken }) => {
    const { holder } = await findWait(resumeToken);
    return toWaitMessage(holder);
  };

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

export const pollExecutionHandler =
  (poll: PollExecution): Handlers<typeof ExecutionServiceService>['pollExecution'] =>
  async ({ resumeToken, workflowId, startNode, idempotencyKey, waitMs }, context) => {
    const options = waitOptionsOf(StartWait.START_WAIT_RESPONSE, waitMs, () => context.signal) ?? {
      limitMs: 0,
      signal: context.signal,
    };
    const limitMs = waitMs === 0 ? 0 : options.limitMs;
    const polled = await poll(resumeToken === '' ? { workflowId, startNode, idempotencyKey } : { token: resumeToken }, {
      limitMs,
      signal: options.signal,
    });
    return {
      polled: toStartedMessage({ ...polled, existing: true }),
      waiting: polled.waiting === undefined ? undefined : toWaitMessage(polled.waiting),
    };
  };
