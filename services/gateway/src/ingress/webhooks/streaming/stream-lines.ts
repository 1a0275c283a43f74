import type { ResponseHeader } from '@weft/proto/channels';
import type { HttpResponse, StartedExecution } from '@weft/proto/executions';
import { toServiceError } from '@weft/service-kit/errors';
import type { ServerResponse } from 'node:http';
import type { Clients } from '../../../clients';
import { nameExecution } from '../../../http/execution-header';
import { untilDrained } from '../../../http/until-drained';
import { liftTimeLimit, outsideTimeLimit, type UnderWay } from '../../../middleware/limits/time-limit';
import { clientSignal } from '../../../middleware/responses/serve-events';
import { excludeFromTiming } from '../../../observing/request-metrics';
import { chatLine } from '../../chat/chat-told';
import { setWorkflowHeaders } from '../write-webhook-answer';
import { createChunkLines } from './chunk-lines';
import { followTexts } from './follow-texts';

/** The response begins after this time, unless the call for the run has failed by then. */
const HEAD_AFTER_MS = 1_000;
/** Interval between lines without content: proxies close connections that seem idle. */
const KEEPALIVE_MS = 30_000;
const KEEPALIVE = '{"type":"keepalive"}\n';

const LINES_TYPE = 'application/x-ndjson';

const isLines = ({ headers }: HttpResponse): boolean =>
  headers.some(({ name, value }) => name.toLowerCase() === 'content-type' && value.startsWith(LINES_TYPE));

/** A response of lines of JSON about a run. */
export interface LineStream {
  readonly response: ServerResponse;
  readonly clients: Pick<Clients, 'events'>;
  readonly underWay: UnderWay;
  readonly executionId: string;
  readonly ownerId: string;
  readonly headers: readonly ResponseHeader[];
}

/** The part of a run that ends its stream. */
export type StreamedRun = Pick<StartedExecution, 'response'>;

/**
 * Responds with lines of JSON while the nodes of a run write text. The response ends with that of the run; what the
 * caller has missed is sent then.
 * @param wait begins or follows the run; undefined: it has not responded in time
 * @throws ServiceError before the response has begun
 */
export const streamLines = async (
  { response, clients, underWay, executionId, ownerId, headers }: LineStream,
  wait: (signal: AbortSignal) => Promise<StreamedRun | undefined>,
): Promise<void> => {
  const left = clientSignal(response);
  const release = clients.events.reserveAnswer(ownerId);
  const ending = new AbortController();
  const signal = AbortSignal.any([left, ending.signal]);
  const lines = createChunkLines(Date.now);
  excludeFromTiming(response);

  const begin = (): void => {
    clearTimeout(headTimer);
    if (response.headersSent || response.destroyed) return;
    liftTimeLimit(response);
    nameExecution(response, executionId);
    setWorkflowHeaders(response, headers);
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    response.flushHeaders();
  };
  const write = async (text: string): Promise<void> => {
    if (text === '' || response.destroyed) return;
    begin();
    keepalive.refresh();
    if (!response.write(text)) await untilDrained(response);
  };
  const headTimer = setTimeout(begin, HEAD_AFTER_MS);
  const keepalive = setInterval(() => {
    if (!response.writableNeedDrain) void write(KEEPALIVE);
  }, KEEPALIVE_MS);
  let isStopping = false;
  const stopped = new Promise<undefined>((resolve) => {
    underWay.addStream(response, () => {
      isStopping = true;
      resolve(undefined);
    });
  });
  try {
    await outsideTimeLimit(async () => {
      const texts = followTexts({
        executionId,
        calls: clients.events.calls,
        signal,
        onDelta: (delta) => write(lines.ofDelta(delta)),
      });
      await texts.opened;
      const run = await Promise.race([wait(signal), stopped]);
      ending.abort();
      await texts.done;
      await write(lastLines(run));
    });
  } catch (thrown) {
    ending.abort();
    if (!response.headersSent) throw thrown;
    await write(lines.ofError(toServiceError(thrown).message));
  } finally {
    clearTimeout(headTimer);
    clearInterval(keepalive);
    release();
  }
  begin();
  response.end();

  function lastLines(run: StreamedRun | undefined): string {
    const answer = run?.response;
    if (answer !== undefined) {
      const isStreamed = isLines(answer);
      if (!isStreamed && answer.statusCode >= 500) return lines.ofError('Error in workflow');
      return chatLine(answer) ?? lines.ofResponse(answer.body.toString(), isStreamed);
    }
    if (isStopping) return lines.ofError('This process is shutting down. The run continues.');
    return lines.ofError(
      run === undefined ? 'The run has not responded in time. It continues.' : 'The run ended without a response.',
    );
  }
};
