import type { HttpResponse } from '@weft/proto/executions';
import type { ServerResponse } from 'node:http';
import type { Clients } from '../../clients';
import { openFile } from '../../http/file-parts';
import { writeAnswer } from '../../middleware/write-answer';
import { finalStatus, setWorkflowHeaders, writeWebhookAnswer } from './write-webhook-answer';

/** A file of the largest size within the time of a request. */
const DEADLINE_MS = 30_000;

/**
 * Writes the answer that a run made. A file of the run is passed on piece by piece, as fast as the caller takes it.
 * @throws ServiceError if the file is not there.
 */
export const writeRunAnswer = async (
  response: ServerResponse,
  executionId: string,
  answer: HttpResponse,
  { executions }: Clients,
): Promise<void> => {
  const status = finalStatus(answer.statusCode);
  if (answer.bodyFileId === undefined || status === 204 || status === 304 || response.req.method === 'HEAD')
    return writeWebhookAnswer(response, answer);
  const { head, parts } = await openFile(
    executions.calls.readBinary({ executionId, fileId: answer.bodyFileId }, { deadlineMs: DEADLINE_MS }),
  );
  if (response.headersSent || response.destroyed) {
    await parts.return(undefined);
    return;
  }
  setWorkflowHeaders(response, answer.headers);
  const type = response.getHeader('content-type') ?? head.mimeType ?? 'application/octet-stream';
  await writeAnswer(response, { status, headers: { 'content-type': String(type) }, parts });
};
