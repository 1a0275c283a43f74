import { ExecutionMode, ExecutionServiceService, StartWait, type ExecutionStart } from '@weft/proto/executions';
import type { TokenSigner } from '@weft/service-kit/auth';
import { InternalError } from '@weft/service-kit/errors';
import { createCaller, fromRpcStatus } from '@weft/service-kit/grpc';
import type { FindReferenced } from '../domain/versions/collect-versions';
import type { ScheduledStart, StartScheduled } from '../domain/schedule/fire-schedules';
import type { CheckClaim } from '../domain/versions/claims';

/** Calls to the executions service: starts of due schedules, checks of claims, references to versions. */
export interface ExecutionsClient {
  readonly checkClaim: CheckClaim;
  readonly startScheduled: StartScheduled;
  readonly findReferenced: FindReferenced;
  readonly close: () => void;
}

const CHECK_DEADLINE_MS = 5_000;
/** The call may read many executions. */
const REFERRED_DEADLINE_MS = 60_000;

/** The due time is the idempotency key, so the start can be repeated. */
const toStartMessage = ({
  workflowId,
  versionId,
  ownerId,
  node,
  due,
  input,
  mutexKey,
}: ScheduledStart): ExecutionStart => ({
  workflowId,
  versionId,
  ownerId,
  startNode: node,
  input: Buffer.from(input),
  idempotencyKey: due.toISOString(),
  mode: ExecutionMode.EXECUTION_MODE_TRIGGER,
  wait: StartWait.START_WAIT_UNSPECIFIED,
  waitMs: 0,
  usePinData: true,
  ...(mutexKey === undefined ? {} : { exclusiveKey: mutexKey }),
});

/** Connects to the executions service; calls carry this service's tokens. */
export const createExecutionsClient = (target: string, sign: TokenSigner): ExecutionsClient => {
  const { calls, close } = createCaller(ExecutionServiceService, {
    service: 'executions',
    target,
    sign,
    retried: ['checkClaim'],
  });
  return {
    checkClaim: async ({ executionId, fence }) => {
      const { granted, workflowId, ownerId } = await calls.checkClaim(
        { executionId, fence, node: '', credentialId: '' },
        { deadlineMs: CHECK_DEADLINE_MS },
      );
      return granted ? { workflowId, ownerId } : undefined;
    },
    startScheduled: async (starts) => {
      const { results } = await calls.startExecutions({ starts: starts.map(toStartMessage) });
      return starts.map((_, index) => {
        const result = results[index]?.result;
        if (result === undefined)
          return { error: new InternalError(new Error('The executions service omitted a result.')) };
        return result.$case === 'started'
          ? { existing: result.value.existing }
          : { error: fromRpcStatus(result.value) };
      });
    },
    findReferenced: async (versions) => {
      const { versionIds } = await calls.findReferencedVersions(
        { versions: versions.map(({ id, workflowId }) => ({ versionId: id, workflowId })) },
        { deadlineMs: REFERRED_DEADLINE_MS },
      );
      return new Set(versionIds);
    },
    close,
  };
};
