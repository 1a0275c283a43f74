import { HeartbeatOutcome as OutcomeMessage, type RunnerServiceService } from '@weft/proto/runner';
import type { Handlers } from '@weft/service-kit/grpc';
import type { HeartbeatExecution, HeartbeatOutcome } from '../domain/heartbeat-executions';
import { checkLength } from './outcome-message';

const MESSAGES: Readonly<Record<HeartbeatOutcome, OutcomeMessage>> = {
  held: OutcomeMessage.HEARTBEAT_OUTCOME_HELD,
  lost: OutcomeMessage.HEARTBEAT_OUTCOME_LOST,
  cancelled: OutcomeMessage.HEARTBEAT_OUTCOME_CANCELLED,
};

/** Heartbeat: claim by claim. What cannot be renewed now is neither held nor lost. */
export const heartbeatHandler =
  (heartbeat: HeartbeatExecution): Handlers<typeof RunnerServiceService>['heartbeat'] =>
  async ({ held }) => {
    checkLength(held, 'held');
    const outcomes = await Promise.allSettled(
      held.map(({ executionId, fence, shared }) => heartbeat(executionId, fence, shared)),
    );
    return {
      outcomes: outcomes.map((one) =>
        one.status === 'fulfilled' ? MESSAGES[one.value] : OutcomeMessage.HEARTBEAT_OUTCOME_UNKNOWN,
      ),
    };
  };
