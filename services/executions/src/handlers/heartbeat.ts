import { HeartbeatVerdict as VerdictMessage, type RunnerServiceService } from '@weft/proto/runner';
import type { Handlers } from '@weft/service-kit/grpc';
import type { HeartbeatExecution, HeartbeatVerdict } from '../domain/heartbeat-executions';
import { checkLength } from './verdict-message';

const MESSAGES: Readonly<Record<HeartbeatVerdict, VerdictMessage>> = {
  held: VerdictMessage.HEARTBEAT_VERDICT_HELD,
  lost: VerdictMessage.HEARTBEAT_VERDICT_LOST,
  cancelled: VerdictMessage.HEARTBEAT_VERDICT_CANCELLED,
};

/** Heartbeat: claim by claim. What cannot be renewed now is neither held nor lost. */
export const heartbeatHandler =
  (heartbeat: HeartbeatExecution): Handlers<typeof RunnerServiceService>['heartbeat'] =>
  async ({ held }) => {
    checkLength(held, 'held');
    const verdicts = await Promise.allSettled(
      held.map(({ executionId, fence, shared }) => heartbeat(executionId, fence, shared)),
    );
    return {
      verdicts: verdicts.map((one) =>
        one.status === 'fulfilled' ? MESSAGES[one.value] : VerdictMessage.HEARTBEAT_VERDICT_UNKNOWN,
      ),
    };
  };
