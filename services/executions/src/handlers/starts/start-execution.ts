import type { ExecutionServiceService, ExecutionStart, StartedExecution, StartResult } from '@weft/proto/executions';
import { currentContext, withContext } from '@weft/service-kit/context';
import { InvalidRequest, toServiceError } from '@weft/service-kit/errors';
import { withoutBom } from '@weft/service-kit/json';
import { type CallContext, type Handlers, requestIdOf, toRpcStatus } from '@weft/service-kit/grpc';
import { beginSpan } from '@weft/service-kit/tracing';
import type { AwaitResponse, AwaitedOutcome } from '../../domain/wait/await-response';
import type { Started, StartExecution } from '../../domain/start/start-execution';
import { telling } from '../../domain/state/start-outcome';
import type { StartRequest, Starter } from '../../domain/start/start-request';
import { MAX_STARTS } from '../../domain/state/limits';
import { toExecutionMessage, fromModeMessage } from '../messages/execution-message';
import { waitOptionsOf } from './wait-options';
import { checkLength } from '../runs/process-entries';

/** Converts a start. @throws InvalidRequest for an unknown mode */
export const requestOf = (start: ExecutionStart): StartRequest => {
  const mode = fromModeMessage(start.mode);
  return {
    workflowId: start.workflowId,
    input: withoutBom(start.input),
    startNode: start.startNode,
    idempotencyKey: start.idempotencyKey,
    usePinData: start.usePinData ?? true,
    versionId: start.versionId,
    ownerId: start.ownerId,
    ...(mode === undefined ? {} : { mode }),
    ...(start.executionId === undefined ? {} : { executionId: start.executionId }),
    ...(start.exclusiveKey === undefined ? {} : { mutexKey: start.exclusiveKey }),
    ...(start.repeatedStart === true ? { isRepeated: true } : {}),
    ...(start.expiresOnSuccess === true ? { expiresOnSuccess: true } : {}),
    ...(start.contentDigest === undefined ? {} : { contentDigest: start.contentDigest }),
    ...(start.eventKey === undefined
      ? {}
      : { event: { key: start.eventKey, isSigned: start.eventKeySigned === true } }),
  };
};

const starterOf = ({ principal, service }: CallContext): Starter => ({
  ...(principal === undefined ? {} : { principal }),
  ...(service === undefined ? {} : { service }),
});

/** Converts an accepted execution, with its result if it arrived in time. */
export const toStartedMessage = ({
  executionId,
  existing,
  response,
  ended,
}: Started & AwaitedOutcome): StartedExecution => ({
  executionId,
  existing,
  response: response === undefined ? undefined : { ...response, headers: [...response.headers] },
  ended: ended === undefined ? undefined : toExecutionMessage(ended),
});

/** Handles one start message for its caller. */
export type StartOne = (start: ExecutionStart, context: CallContext) => Promise<StartedExecution>;

/** Starts an execution, and waits if requested. */
export const createStartOne =
  (startExecution: StartExecution, awaitResponse: AwaitResponse): StartOne =>
  async (start, context) => {
    const options = waitOptionsOf(start.wait, start.waitMs, () => context.signal);
    const request = requestOf(start);
    return telling(request, async (note) =>
      toStartedMessage(
        await awaitResponse(options, () => note(startExecution(request, starterOf(context), options?.limitMs))),
      ),
    );
  };

/** Starts an entry of a list as part of the request that it serves: the call of the list serves several requests. */
const withinItsRequest = async <Result>(
  { requestId, traceparent }: ExecutionStart,
  work: () => Promise<Result>,
): Promise<Result> => {
  const context = currentContext();
  if (context === undefined || requestId === undefined) return work();
  const { deadline, clientAddress } = context;
  const span =
    traceparent === undefined ? undefined : beginSpan({ name: 'start execution', kind: 'server', parent: traceparent });
  const own = {
    requestId: requestIdOf(requestId),
    ...(deadline === undefined ? {} : { deadline }),
    ...(clientAddress === undefined ? {} : { clientAddress }),
    ...(span === undefined ? {} : { span }),
  };
  return withContext(own, async () => {
    try {
      const result = await work();
      span?.end();
      return result;
    } catch (error) {
      span?.end(toServiceError(error).reason);
      throw error;
    }
  });
};

/** @throws InvalidRequest if a start of its own says what its call says */
export const checkMetadata = (start: ExecutionStart): void => {
  const given = (['requestId', 'traceparent'] as const).filter((field) => start[field] !== undefined);
  if (given.length > 0)
    throw new InvalidRequest(
      'The start is not valid.',
      given.map((field) => ({ field, message: 'must not be set: it is taken from the call metadata' })),
    );
};

export const startExecutionHandler =
  (startOne: StartOne): Handlers<typeof ExecutionServiceService>['startExecution'] =>
  async ({ start }, context) => {
    if (start === undefined)
      throw new InvalidRequest('The start is missing.', [{ field: 'start', message: 'is required' }]);
    checkMetadata(start);
    return { started: await startOne(start, context) };
  };

/** StartExecutions: one result per entry; a failed one does not affect the others. */
export const startExecutionsHandler =
  (startOne: StartOne): Handlers<typeof ExecutionServiceService>['startExecutions'] =>
  async ({ starts }, context) => {
    checkLength(starts, 'starts', MAX_STARTS);
    const results = await Promise.allSettled(
      starts.map(async (start) => withinItsRequest(start, () => startOne(start, context))),
    );
    return {
      results: results.map((result): StartResult =>
        result.status === 'fulfilled'
          ? { result: { $case: 'started', value: result.value } }
          : { result: { $case: 'error', value: toRpcStatus(toServiceError(result.reason)) } },
      ),
    };
  };
