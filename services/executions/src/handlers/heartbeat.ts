import { HeartbeatVerdict as VerdictMessage, type RunnerServiceService } from '@weft/proto/runner';
import type { Handlers } from '@weft/service-kit/grpc';
import type { HeartbeatExecution, HeartbeatVerdict } from '../domain/heartbeat-executions';
import { checkLength } from './verdict-message';

const MESSAGES: Readonly<Record<HeartbeatVerdict, VerdictMessage>> = {
  held: VerdictMessage.HEARTBEAT_VERDICT_HELD,
  lost: VerdictMessage.HEARTBEAT_VERDICT_LOST,
  cancelled: VerdictMessage.HEARTBEAT_VERDICT_CANCELLED,
};

/** Heartbeat. */
export const heartbeatHandler =
  (heartbeat: HeartbeatExecution): Handlers<typeof RunnerServiceService>['heartbeat'] =>
  async ({ held }) => {
    checkLength(held, 'held');
    const verdicts = await Promise.all(held.map(({ executionId, fence, shared }) => heartbeat(executionId, fence, shared)));
    return { verdicts: verdicts.map((verdict) => MESSAGES[verdict]) };
  };
