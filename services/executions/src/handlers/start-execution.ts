import type { ExecutionServiceService, ExecutionStart, StartedExecution } from '@weft/proto/executions';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { CallContext, Handlers } from '@weft/service-kit/grpc';
import type { StartExecution } from '../domain/start-execution';
import type { StartRequest, Starter } from '../domain/start-request';
import { modeOf } from './execution-message';

/** The domain's form of a start message. */
export const startRequestOf = (start: ExecutionStart): StartRequest => {
  const mode = modeOf(start.mode);
  return {
    workflowId: start.workflowId,
    input: start.inputJson,
    startNode: start.startNode,
    idempotencyKey: start.idempotencyKey,
    ignorePinData: start.ignorePinData,
    versionId: start.versionId,
    ownerId: start.ownerId,
    ...(mode === undefined ? {} : { mode }),
  };
};

/** Who starts. */
export const starterOf = ({ principal, service }: CallContext): Starter => ({
  ...(principal === undefined ? {} : { principal }),
  ...(service === undefined ? {} : { service }),
});

/** StartExecution. */
export const startExecutionHandler =
  (startExecution: StartExecution): Handlers<typeof ExecutionServiceService>['startExecution'] =>
  async ({ start }, context) => {
    if (start === undefined) throw new InvalidRequest('The start is missing.', [{ field: 'start', description: 'Say what to start.' }]);
    const started: StartedExecution = await startExecution(startRequestOf(start), starterOf(context));
    return { started };
  };
