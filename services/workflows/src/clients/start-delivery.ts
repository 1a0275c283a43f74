import { ExecutionMode, ExecutionServiceService, StartWait, type ExecutionStart } from '@weft/proto/executions';
import type { TokenSigner } from '@weft/service-kit/auth';
import { InternalError } from '@weft/service-kit/errors';
import { createCaller, fromRpcStatus } from '@weft/service-kit/grpc';
import { ATTEMPT_MS } from '../domain/deliveries/park-deliveries';
import type { Delivery, StartDelivery } from '../domain/deliveries/delivery';

/** Starts stored webhook calls. */
export interface DeliveryStarter {
  readonly start: StartDelivery;
  readonly close: () => void;
}

const DEADLINE_MS = ATTEMPT_MS;

/** The start as the gateway would have sent it. It may have been accepted then, so the execution is looked up first. */
const toStartMessage = ({
  id,
  workflowId,
  versionId,
  ownerId,
  node,
  input,
  idempotencyKey,
  contentDigest,
  eventKey,
  eventKeySigned,
}: Delivery): ExecutionStart => ({
  workflowId,
  versionId,
  ownerId,
  startNode: node,
  input,
  idempotencyKey,
  executionId: id,
  repeatedStart: true,
  mode: ExecutionMode.EXECUTION_MODE_WEBHOOK,
  wait: StartWait.START_WAIT_UNSPECIFIED,
  waitMs: 0,
  usePinData: false,
  ...(contentDigest === undefined ? {} : { contentDigest }),
  ...(eventKey === undefined ? {} : { eventKey, eventKeySigned: eventKeySigned === true }),
});

/** Connects to the executions service. */
export const createDeliveryStarter = (target: string, sign: TokenSigner): DeliveryStarter => {
  const { calls, close } = createCaller(ExecutionServiceService, { service: 'executions', target, sign, retried: [] });
  return {
    start: async (delivery) => {
      const { results } = await calls.startExecutions(
        { starts: [toStartMessage(delivery)] },
        { deadlineMs: DEADLINE_MS },
      );
      const result = results[0]?.result;
      if (result === undefined) return new InternalError(new Error('The executions service omitted a result.'));
      return result.$case === 'started' ? { executionId: result.value.executionId } : fromRpcStatus(result.value);
    },
    close,
  };
};
