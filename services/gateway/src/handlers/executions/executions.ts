import type { Execution } from '@weft/proto/executions';
import type { Principal } from '@weft/service-kit/auth';
import { remainingMs } from '@weft/service-kit/context';
import { InternalError, InvalidRequest } from '@weft/service-kit/errors';
import type { Clients } from '../../clients';
import { downloadHeaders, openFile } from '../../http/file-answer';
import { flagParameter, type QueryParameter } from '../../http/read-query';
import { dataAnswer, DELETED } from '../../middleware/responses/write-answer';
import type { ApiHandler } from '../api-handler';
import { entryText, headText, partText, summaryText } from './execution-json';
import { findStart, keptText } from './find-start';

/**
 * One execution with all its run data, as parts of JSON text. The data is streamed from the service to the client
 * without parsing. Yields nothing before the service has begun to respond.
 */
export const executionParts = async function* (
  execution: Execution,
  principal: Principal,
  { executions }: Clients,
): AsyncGenerator<string | Uint8Array> {
  let isFirst = true;
  for await (const { jsonPart } of executions.calls.readExecutionData(
    { executionId: execution.id },
    { principal, deadlineMs: 30_000 },
  )) {
    if (isFirst) yield `${headText(execution)}${partText(execution)},"data":`;
    isFirst = false;
    yield jsonPart;
  }
  yield isFirst ? `${headText(execution)}${partText(execution)},"data":{}}` : '}';
};

const dataParts = async function* (
  execution: Execution,
  principal: Principal,
  clients: Clients,
): AsyncGenerator<string | Uint8Array> {
  let isFirst = true;
  for await (const part of executionParts(execution, principal, clients)) {
    if (isFirst) yield '{"data":';
    isFirst = false;
    yield part;
  }
  yield '}';
};

/** One execution without its run data, as JSON text. */
export const withoutDataText = (execution: Execution): string =>
  `${headText(execution)}${partText(execution)},"data":${summaryText(execution)}}`;

const INCLUDE_DATA = flagParameter('includeData', 'With `false`, only the summary that lists have.', true);

const WAIT = flagParameter('wait', 'Responds when the run has ended, or when the time for the request is nearly over.');

/** Reserved from the time of a request for reading the data. */
const WAIT_MARGIN_MS = 4_000;
const MAX_WAIT_MS = 25_000;

/** Milliseconds for which a request may wait. @param marginMs reserved from its time for what follows */
export const waitMsFor = (marginMs: number): number =>
  Math.max(1, Math.min(MAX_WAIT_MS, remainingMs(30_000) - marginMs));

/** Query parameters of getExecution. */
export const GET_EXECUTION_QUERY: readonly QueryParameter<unknown>[] = [INCLUDE_DATA, WAIT];

/**
 * GET /executions/:id: the execution with its run data in `data.resultData.runData`. The status is read first, so that
 * the data is never older than the status. `includeData=false` leaves the data out, as in lists. A stored webhook call
 * that has not started yet counts as an execution. 404 is final: nothing will be started under this id. With
 * `wait=true`, an addition, the response is delayed until the run has ended.
 */
export const getExecution: ApiHandler = async ({ id, principal, query }, clients) => {
  const includesData = INCLUDE_DATA.read(query);
  const waitMs = WAIT.read(query) ? waitMsFor(WAIT_MARGIN_MS) : 0;
  const found = await findStart(id, principal, clients, waitMs);
  if (found.kind === 'kept') return dataAnswer(keptText(found.delivery));
  return includesData
    ? { status: 200, parts: dataParts(found.execution, principal, clients) }
    : dataAnswer(withoutDataText(found.execution));
};

/** Enough for a file of the maximum size within the time of a request. */
const DEADLINE_MS = 30_000;

/**
 * GET /executions/:id/binary/:fileId, an addition: a file that items of the execution refer to; `fileId` is the `id` of
 * the reference. Always a download, with the original type of the file.
 */
export const getExecutionBinary: ApiHandler = async ({ id, ref, principal }, { executions }) => {
  if (ref.length > 200)
    throw new InvalidRequest('Not a file reference. Use the `id` that the item in the run data holds under `binary`.');
  const { head, parts } = await openFile(
    executions.calls.readBinary({ executionId: id, fileId: ref }, { principal, deadlineMs: DEADLINE_MS }),
  );
  return { status: 200, headers: downloadHeaders(head.mimeType ?? '', head.fileName ?? ''), parts };
};

/**
 * POST /executions/:id/cancel, an addition: cancels an unfinished run, and returns it as in lists. A finished run is
 * returned unchanged.
 */
export const cancelExecution: ApiHandler = async ({ id, principal }, { executions }) => {
  const { execution } = await executions.calls.cancelExecution({ executionId: id }, { principal });
  if (execution === undefined)
    throw new InternalError(new Error('The executions service answered without the execution.'));
  return dataAnswer(entryText(execution));
};

/** DELETE /executions/:id: deletes the record and its data. An unfinished run is cancelled first. */
export const deleteExecution: ApiHandler = async ({ id, principal }, { executions }) => {
  await executions.calls.deleteExecution({ executionId: id }, { principal });
  return DELETED;
};
