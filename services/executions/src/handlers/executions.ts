import type {
  ExecutionServiceService,
  GetExecutionCountsResponse,
  ListExecutionsResponse,
  ListLatestExecutionsResponse,
} from '@weft/proto/executions';
import { createSharedReads } from '@weft/service-kit/batching';
import type { CallContext, Handlers } from '@weft/service-kit/grpc';
import { isUuid } from '@weft/service-kit/ids';
import { requireVisible, scopedTo } from '@weft/service-kit/visibility';
import type { Within } from '../compose';
import { ExecutionNotFound } from '../domain/state/errors';
import type { HeldExecution } from '../domain/state/execution';
import { isEndState } from '../domain/state/execution-state';
import type { ReadHeld } from '../domain/state/ports';
import type { Waiters } from '../domain/wait/waiters';
import { runDataJson } from '../domain/data/run-data-json';
import type { RunDataPorts } from '../domain/data/run-records';
import type { ChunkStore } from '../domain/data/chunks';
import { findBinary } from '../domain/data/binary';
import type { GetExecutionCounts } from '../domain/read/execution-counts';
import type { FenceExecution } from '../domain/start/fence-execution';
import type { FindReferencedVersions } from '../domain/read/find-referenced-versions';
import { fromFilterMessage, fromStatusMessage, toExecutionMessage } from './messages/execution-message';
import { inPieces } from './run-data/pieces';
import { delayMsOf } from './starts/wait-options';

/** @throws TooManyWaiting */
const waitForEnd = async (
  executionId: string,
  limitMs: number,
  signal: AbortSignal,
  waiters: Pick<Waiters, 'reserve'>,
): Promise<void> => {
  const slot = waiters.reserve();
  try {
    await slot.until({ executionId, isNew: false }, 'end', limitMs, signal);
  } finally {
    slot.leave();
  }
};

export const getExecutionHandler =
  (
    useCases: Within & { readonly fence: FenceExecution; readonly waiters: Pick<Waiters, 'reserve'> },
  ): Handlers<typeof ExecutionServiceService>['getExecution'] =>
  async ({ executionId, fence = false, waitMs = 0 }, context) => {
    const limitMs = delayMsOf(waitMs);
    const read = async () => {
      // With the rights that the caller has now, also after a wait.
      const { readShown } = (await scopedTo(useCases, context)).reads;
      return isUuid(executionId) ? readShown(executionId) : undefined;
    };
    let record = await read();
    // Only the gateway knows whether a delivery will be started under the id.
    if (record === undefined && fence && context.service === 'gateway' && !(await useCases.fence(executionId)))
      record = await read();
    if (record !== undefined && limitMs > 0 && !isEndState(record.state)) {
      await waitForEnd(executionId, limitMs, context.signal, useCases.waiters);
      record = await read();
    }
    if (record === undefined) throw new ExecutionNotFound(executionId);
    return { execution: toExecutionMessage(record) };
  };

/** ListExecutions; equal concurrent calls, from callers with the same visibility scope, share one query. */
export const listExecutionsHandler = ({
  scopes,
  within,
}: Within): Handlers<typeof ExecutionServiceService>['listExecutions'] => {
  const share = createSharedReads<ListExecutionsResponse>();
  return async (request, { principal }) => {
    const { limit, cursor, workflowId, status: message, projectId, filter: further } = request;
    const scope = await scopes.ofUser(principal);
    return share(JSON.stringify([scope.name, request]), async () => {
      const status = fromStatusMessage(message);
      const filter = {
        workflowId,
        projectId,
        ...(status === undefined ? {} : { status }),
        ...(further === undefined ? {} : { filter: fromFilterMessage(further) }),
      };
      const { executions, nextCursor } = await within(scope).list({ limit, cursor, ...filter });
      return { executions: executions.map(toExecutionMessage), nextCursor };
    });
  };
};

/** ListLatestExecutions; equal concurrent calls share their queries, as those of a list do. */
export const listLatestExecutionsHandler = ({
  scopes,
  within,
}: Within): Handlers<typeof ExecutionServiceService>['listLatestExecutions'] => {
  const share = createSharedReads<ListLatestExecutionsResponse>();
  return async (request, { principal }) => {
    const scope = await scopes.ofUser(principal);
    return share(JSON.stringify([scope.name, request]), async () => {
      const found = await within(scope).listLatest(request);
      return {
        workflows: found.map(({ workflowId, executions }) => ({
          workflowId,
          executions: executions.map(toExecutionMessage),
        })),
      };
    });
  };
};

/** GetExecutionCounts; concurrent calls share their queries. */
export const getExecutionCountsHandler = (
  count: GetExecutionCounts,
): Handlers<typeof ExecutionServiceService>['getExecutionCounts'] => {
  const share = createSharedReads<GetExecutionCountsResponse>();
  return async () => share('', count);
};

/** Pieces of a stream, for as long as its caller may see the execution. @throws Forbidden, Unavailable */
export async function* whileVisible(
  pieces: AsyncIterable<Buffer>,
  { _id, ownerId }: Pick<HeldExecution, '_id' | 'ownerId'>,
  { scopes }: Pick<Within, 'scopes'>,
  { principal }: Pick<CallContext, 'principal'>,
): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    requireVisible(await scopes.ofUser(principal), ownerId, { executionId: _id });
    yield piece;
  }
}

export const readExecutionDataHandler = (
  useCases: Within,
  ports: RunDataPorts,
): Handlers<typeof ExecutionServiceService>['readExecutionData'] =>
  async function* ({ executionId }, context) {
    const { read } = (await scopedTo(useCases, context)).reads;
    const record = isUuid(executionId) ? await read(executionId) : undefined;
    if (record === undefined) throw new ExecutionNotFound(executionId);
    const parts = whileVisible(inPieces(runDataJson(record, ports)), record, useCases, context);
    for await (const jsonPart of parts) yield { jsonPart };
  };

export const readBinaryHandler = (
  useCases: Within,
  readHeld: ReadHeld,
  chunks: ChunkStore,
): Handlers<typeof ExecutionServiceService>['readBinary'] =>
  async function* ({ executionId, fileId }, context) {
    const { reads } = await scopedTo(useCases, context);
    const record = isUuid(executionId) ? await reads.readHeld(executionId) : undefined;
    if (record === undefined) throw new ExecutionNotFound(executionId);
    // Files are shared by executions with the same root: callers who may see the execution may see them.
    const { head, data } = await findBinary(record, fileId, readHeld, chunks);
    let facts = { mimeType: head.mimeType, fileName: head.fileName };
    for await (const piece of whileVisible(inPieces(data), record, useCases, context)) {
      yield { data: piece, ...facts };
      facts = { mimeType: undefined, fileName: undefined };
    }
  };

export const findReferencedVersionsHandler =
  (find: FindReferencedVersions): Handlers<typeof ExecutionServiceService>['findReferencedVersions'] =>
  async ({ versions }) => ({ versionIds: [...(await find(versions))] });

export const cancelExecutionHandler =
  (useCases: Within): Handlers<typeof ExecutionServiceService>['cancelExecution'] =>
  async ({ executionId }, context) => {
    const { cancel } = await scopedTo(useCases, context);
    return { execution: toExecutionMessage(await cancel(executionId, context.principal)) };
  };

export const deleteExecutionHandler =
  (useCases: Within): Handlers<typeof ExecutionServiceService>['deleteExecution'] =>
  async ({ executionId }, context) => {
    await (await scopedTo(useCases, context)).remove(executionId, context.principal);
    return {};
  };
