import { StartWait, type ExecutionServiceService } from '@weft/proto/executions';
import type { Handlers } from '@weft/service-kit/grpc';
import type { PollExecution } from '../domain/poll-execution';
import { waitMessage } from './find-wait';
import { startedMessage } from './start-execution';
import { waitOptionsOf } from './wait-options';

/** PollExecution. */
export const followExecutionHandler =
  (follow: PollExecution): Handlers<typeof ExecutionServiceService>['pollExecution'] =>
  async ({ resumeToken, workflowId, startNode, idempotencyKey, waitMs }, context) => {
    const options = waitOptionsOf(StartWait.START_WAIT_RESPONSE, waitMs, () => context.signal) ?? {
      limitMs: 0,
      signal: context.signal,
    };
    const limitMs = waitMs === 0 ? 0 : options.limitMs;
    const polled = await follow(
      resumeToken === '' ? { workflowId, startNode, idempotencyKey } : { token: resumeToken },
      { limitMs, signal: options.signal },
    );
    return {
      polled: startedMessage({ ...polled, existing: true }),
      waiting: polled.waiting === undefined ? undefined : waitMessage(polled.waiting),
    };
  };
