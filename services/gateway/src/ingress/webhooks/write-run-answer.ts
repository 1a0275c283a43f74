import { type HttpResponse, type StartedExecution, StartWait } from '@weft/proto/executions';
import { remainingMs } from '@weft/service-kit/context';
import { InternalError } from '@weft/service-kit/errors';
import type { ServerResponse } from 'node:http';
import type { Clients } from '../../clients';
import { WebhookAnswerLate } from '../../errors';
import { nameExecution } from '../../http/execution-header';
import { openFile } from '../../http/file-answer';
import { writeAnswer } from '../../middleware/responses/write-answer';
import { finalStatus, setWorkflowHeaders, writeWebhookAnswer } from './write-webhook-answer';

/** Enough for a file of the maximum size within the time of a request. */
const DEADLINE_MS = 30_000;

/**
 * Writes the response of a run. A file is streamed as fast as the caller reads it.
 * @throws ServiceError if the file does not exist
 */
export const writeRunAnswer = async (
  response: ServerResponse,
  executionId: string,
  answer: HttpResponse,
  { executions }: Clients,
): Promise<void> => {
  nameExecution(response, executionId);
  const status = finalStatus(answer.statusCode);
  if (answer.fileId === undefined || status === 204 || status === 304 || response.req.method === 'HEAD')
    return writeWebhookAnswer(response, answer);
  const { head, parts } = await openFile(
    executions.calls.readBinary({ executionId, fileId: answer.fileId }, { deadlineMs: DEADLINE_MS }),
  );
  if (response.headersSent || response.destroyed) {
    await parts.return(undefined);
    return;
  }
  setWorkflowHeaders(response, answer.headers);
  const type = response.getHeader('content-type') ?? head.mimeType ?? 'application/octet-stream';
  await writeAnswer(response, { status, headers: { 'content-type': String(type) }, parts });
};

const LIMIT_MS = 30_000;
/** Time left for the request when waiting for the run's response ends: enough to answer the caller. */
const WAIT_MARGIN_MS = 1_000;

/** Options of calls that wait for the response of a run. */
export const WAITING_CALL = { waits: true, deadlineMs: LIMIT_MS } as const;

/** Options for waiting for the run's response within the time left for the request. */
export const responseOptions = (): { wait: StartWait; waitMs: number } => ({
  wait: StartWait.START_WAIT_RESPONSE,
  waitMs: Math.max(1, remainingMs(LIMIT_MS) - WAIT_MARGIN_MS),
});

/** Writes the resulting response. @throws WebhookAnswerLate if the run has not responded yet */
export const writeAwaitedAnswer = async (
  response: ServerResponse,
  run: StartedExecution | undefined,
  clients: Clients,
): Promise<void> => {
  if (run === undefined)
    throw new InternalError(new Error('A call that waits for a run was answered without a result.'));
  if (run.response === undefined) throw new WebhookAnswerLate(run.executionId);
  await writeRunAnswer(response, run.executionId, run.response, clients);
};
