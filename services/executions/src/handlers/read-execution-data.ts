import type { ExecutionServiceService } from '@weft/proto/executions';
import type { Handlers } from '@weft/service-kit/grpc';
import { isUuid } from '@weft/service-kit/ids';
import { ExecutionNotFound } from '../domain/errors';
import type { ReadExecution } from '../domain/ports';
import { runDataJson } from '../domain/run-data-json';
import type { RunDataPorts } from '../domain/run-records';

/** ReadExecutionData. */
export const readExecutionDataHandler = (
  read: ReadExecution,
  ports: RunDataPorts,
): Handlers<typeof ExecutionServiceService>['readExecutionData'] =>
  async function* ({ executionId }) {
    const record = isUuid(executionId) ? await read(executionId) : undefined;
    if (record === undefined) throw new ExecutionNotFound(executionId);
    for await (const jsonPart of runDataJson(record, ports)) yield { jsonPart };
  };
