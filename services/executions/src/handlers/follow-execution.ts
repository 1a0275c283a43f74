import { StartWait, type ExecutionServiceService } from '@weft/proto/executions';
import type { Handlers } from '@weft/service-kit/grpc';
import type { FollowExecution } from '../domain/follow-execution';
import { waitMessage } from './find-wait';
import { startedMessage } from './start-execution';
import { waitWishOf } from './wait-wish';

/** FollowExecution. */
export const followExecutionHandler =
  (follow: FollowExecution): Handlers<typeof ExecutionServiceService>['followExecution'] =>
  async ({ resumeToken, workflowId, startNode, idempotencyKey, waitMs }, context) => {
    const wish = waitWishOf(StartWait.START_WAIT_RESPONSE, waitMs, () => context.signal) ?? {
      limitMs: 0,
      signal: context.signal,
    };
    const limitMs = waitMs === 0 ? 0 : wish.limitMs;
    const followed = await follow(
      resumeToken === '' ? { workflowId, startNode, idempotencyKey } : { token: resumeToken },
      { limitMs, signal: wish.signal },
    );
    return {
      followed: startedMessage({ ...followed, existing: true }),
      waiting: followed.waiting === undefined ? undefined : waitMessage(followed.waiting),
    };
  };
