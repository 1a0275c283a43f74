import type { ExecutionServiceService, ListExecutionsResponse } from '@weft/proto/executions';
import { createSharedReads } from '@weft/service-kit/batching';
import type { Handlers } from '@weft/service-kit/grpc';
import { isUuid } from '@weft/service-kit/ids';
import { ExecutionNotFound } from '../domain/errors';
import type { ReadShown, ListExecutions } from '../domain/list-executions';
import type { ReadExecution, ReadHeld } from '../domain/ports';
import { runDataJson } from '../domain/run-data-json';
import type { RunDataPorts } from '../domain/run-records';
import type { ChunkStore } from '../domain/chunks';
import { findBinary } from '../domain/binary';
import type { FindReferencedVersions } from '../domain/find-referenced-versions';
import type { CancelExecution } from '../domain/cancel-execution';
import type { DeleteExecution } from '../domain/delete-execution';
import { toExecutionMessage, fromStatusMessage } from './execution-message';
import { inPieces } from './pieces';

/** GetExecution. */
export const getExecutionHandler =
  (readShown: ReadShown): Handlers<typeof ExecutionServiceService>['getExecution'] =>
  async ({ executionId }) => {
    const record = isUuid(executionId) ? await readShown(executionId) : undefined;
    if (record === undefined) throw new ExecutionNotFound(executionId);
    return { execution: toExecutionMessage(record) };
  };

/** ListExecutions; equal calls that come in together are answered by one query. */
export const listExecutionsHandler = (
  list: ListExecutions,
): Handlers<typeof ExecutionServiceService>['listExecutions'] => {
  const share = createSharedReads<ListExecutionsResponse>();
  return ({ limit, cursor, workflowId, status: message, projectId }) =>
    share(JSON.stringify([limit, cursor, workflowId, message, projectId]), async () => {
      const status = fromStatusMessage(message);
      const filter = { workflowId, projectId, ...(status === undefined ? {} : { status }) };
      const { executions, nextCursor } = await list({ limit, cursor, ...filter });
      return { executions: executions.map(toExecutionMessage), nextCursor };
    });
};

/** ReadExecutionData. */
export const readExecutionDataHandler = (
  read: ReadExecution,
  ports: RunDataPorts,
): Handlers<typeof ExecutionServiceService>['readExecutionData'] =>
  async function* ({ executionId }) {
    const record = isUuid(executionId) ? await read(executionId) : undefined;
    if (record === undefined) throw new ExecutionNotFound(executionId);
    for await (const jsonPart of inPieces(runDataJson(record, ports))) yield { jsonPart };
  };

/** ReadBinary. */
export const readBinaryHandler = (
  read: ReadHeld,
  chunks: ChunkStore,
): Handlers<typeof ExecutionServiceService>['readBinary'] =>
  async function* ({ executionId, fileId }) {
    const record = isUuid(executionId) ? await read(executionId) : undefined;
    if (record === undefined) throw new ExecutionNotFound(executionId);
    const { head, data } = await findBinary(record, fileId, read, chunks);
    let facts = { mimeType: head.mimeType, fileName: head.fileName };
    for await (const piece of inPieces(data)) {
      yield { data: piece, ...facts };
      facts = { mimeType: undefined, fileName: undefined };
    }
  };

/** FindReferencedVersions. */
export const findReferencedVersionsHandler =
  (find: FindReferencedVersions): Handlers<typeof ExecutionServiceService>['findReferencedVersions'] =>
  async ({ versions }) => ({ versionIds: [...(await find(versions))] });

/** CancelExecution. */
export const cancelExecutionHandler =
  (cancel: CancelExecution): Handlers<typeof ExecutionServiceService>['cancelExecution'] =>
  async ({ executionId }, { principal }) => ({ execution: toExecutionMessage(await cancel(executionId, principal)) });

/** DeleteExecution. */
export const deleteExecutionHandler =
  (remove: DeleteExecution): Handlers<typeof ExecutionServiceService>['deleteExecution'] =>
  async ({ executionId }, { principal }) => {
    await remove(executionId, principal);
    return {};
  };
