import { type Delivery, DeliveryState } from '@weft/proto/deliveries';
import { type Execution, ExecutionMode, ExecutionState, ExecutionStatus } from '@weft/proto/executions';
import type { Principal } from '@weft/service-kit/auth';
import { InternalError, ServiceError } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import type { Clients } from '../../clients';
import { entryText } from './execution-json';

/** The holder of the id of a start: its execution, or the stored webhook call that will start it. */
export type FoundStart =
  | { readonly kind: 'execution'; readonly execution: Execution }
  | { readonly kind: 'kept'; readonly delivery: Delivery };

/** The result of a read; undefined if nothing has the id. @throws any other error of the read */
const unlessMissing = async <Result>(reason: string, read: () => Promise<Result>): Promise<Result | undefined> => {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ServiceError && error.reason === reason) return undefined;
    throw error;
  }
};

/**
 * Finds the execution or the stored call with an id. If there is neither, the id is fenced: a start or a delivery that
 * was sent before and arrives later is refused, so that the caller may start again.
 * @param waitMs milliseconds for which the end of an execution is awaited
 * @throws EXECUTION_NOT_FOUND; Forbidden; Unavailable: then nothing is known about the id
 */
export const findStart = async (
  id: string,
  principal: Principal,
  clients: Clients,
  waitMs = 0,
): Promise<FoundStart> => {
  const read = async (executionId: string, fence = false): Promise<FoundStart> => {
    const { execution } = await clients.executions.calls.getExecution(
      { executionId, fence, ...(waitMs === 0 ? {} : { waitMs }) },
      { principal, waits: waitMs > 0 },
    );
    if (execution === undefined)
      throw new InternalError(new Error('The executions service answered without the execution.'));
    return { kind: 'execution', execution };
  };
  if (!isUuid(id)) return read(id);
  const execution = await unlessMissing('EXECUTION_NOT_FOUND', () => read(id));
  if (execution !== undefined) return execution;
  const { delivery } =
    (await unlessMissing('DELIVERY_NOT_FOUND', () =>
      clients.deliveries.calls.getDelivery({ deliveryId: id }, { principal }),
    )) ?? {};
  if (delivery === undefined) return read(id, true);
  // Its event may have been started by another call; or its execution was deleted.
  return delivery.executionId === undefined ? { kind: 'kept', delivery } : read(delivery.executionId);
};

const statusOf = ({ state, parked = false }: Delivery): ExecutionStatus => {
  if (state === DeliveryState.DELIVERY_STATE_PENDING) return ExecutionStatus.EXECUTION_STATUS_RUNNING;
  return parked ? ExecutionStatus.EXECUTION_STATUS_WAITING : ExecutionStatus.EXECUTION_STATUS_ERROR;
};

/** A stored call as an execution: it runs, it waits while its workflow is inactive, or it was refused. */
export const keptText = (delivery: Delivery): string => {
  const { id, workflowId, ownerId, node, reason, message, receivedAt } = delivery;
  const status = statusOf(delivery);
  return entryText({
    id,
    workflowId,
    ownerId,
    versionId: '',
    mode: ExecutionMode.EXECUTION_MODE_WEBHOOK,
    state: ExecutionState.EXECUTION_STATE_QUEUED,
    status,
    createdAt: receivedAt,
    startedAt: undefined,
    finishedAt: undefined,
    lastNode: '',
    error: status === ExecutionStatus.EXECUTION_STATUS_ERROR ? { reason, message, node, errorJson: '{}' } : undefined,
    crashes: 0,
    nodeRunCount: 0,
    approvals: [],
  });
};
