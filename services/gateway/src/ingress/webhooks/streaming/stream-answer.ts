import type { ExecutionStart, HttpResponse, StartedExecution } from '@weft/proto/executions';
import { StartWait } from '@weft/proto/executions';
import { toServiceError } from '@weft/service-kit/errors';
import { setTimeout as sleep } from 'node:timers/promises';
import { nameExecution } from '../../../http/execution-header';
import { untilDrained } from '../../../http/until-drained';
import { liftTimeLimit, outsideTimeLimit } from '../../../middleware/limits/time-limit';
import { clientSignal } from '../../../middleware/responses/serve-events';
import { excludeFromTiming } from '../../../observing/request-metrics';
import type { WebhookStart } from '../start-from-webhook';
import { setWorkflowHeaders } from '../write-webhook-answer';
import { createChunkLines } from './chunk-lines';
import { followTexts } from './follow-texts';

/** Maximum duration of a streamed response. */
const MAX_MS = 900_000;
/** Time that one call waits for the response of a run; the next one continues. */
const WAIT_MS = 25_000;
const CALL_MS = 30_000;
/** The response begins after this time, unless the start has failed by then. */
const HEAD_AFTER_MS = 1_000;
/** Interval between lines without content: proxies close connections that seem idle. */
const KEEPALIVE_MS = 30_000;
const KEEPALIVE = '{"type":"keepalive"}\n';
/** Shortest time between two calls: a service that cannot wait responds at once, without a response of the run. */
const MIN_INTERVAL_MS = 500;
/** Delay after a failed call, and the time for which calls may fail. */
const REPEAT_MS = 1_000;
const UNREACHABLE_MS = 60_000;

const LINES_TYPE = 'application/x-ndjson';

const isLines = ({ headers }: HttpResponse): boolean =>
  headers.some(({ name, value }) => name.toLowerCase() === 'content-type' && value.startsWith(LINES_TYPE));

/**
 * Starts the run, and waits for its response. The start has the id of its execution, so its repetition only waits on.
 * @returns undefined if the time is over, or the caller has left
 * @throws ServiceError of the first call, or if executions cannot be reached for long
 */
const runUntilResponse = async (
  { clients: { executions } }: Pick<WebhookStart, 'clients'>,
  start: ExecutionStart,
  signal: AbortSignal,
): Promise<StartedExecution | undefined> => {
  const endsAt = performance.now() + MAX_MS;
  let reachedAt: number | undefined;
  while (!signal.aborted && performance.now() < endsAt) {
    const calledAt = performance.now();
    try {
      const run = await executions.startByItself(
        // Without this mark the run would be begun again: it may exist only in the memory of a replica.
        { ...start, wait: StartWait.START_WAIT_RESPONSE, waitMs: WAIT_MS, repeatedStart: reachedAt !== undefined },
        { waits: true, deadlineMs: CALL_MS },
      );
      reachedAt = performance.now();
      if (run.response !== undefined || run.ended !== undefined) return run;
      const waitMs = calledAt + MIN_INTERVAL_MS - reachedAt;
      if (waitMs > 0) await sleep(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
    } catch (thrown) {
      const { kind } = toServiceError(thrown);
      const isTemporary = kind === 'unavailable' || kind === 'timeout';
      if (reachedAt === undefined || !isTemporary || performance.now() - reachedAt > UNREACHABLE_MS) throw thrown;
      await sleep(REPEAT_MS);
    }
  }
  return undefined;
};

/**
 * Starts the run of a webhook call, and responds with lines of JSON while its nodes write text. The response ends with
 * that of the run; what the caller has missed is sent then.
 * @throws ServiceError before the response has begun
 */
export const streamAnswer = async (call: WebhookStart, start: ExecutionStart): Promise<void> => {
  const { response, clients, executionId, webhook, settings, underWay } = call;
  const left = clientSignal(response);
  const release = clients.events.reserveAnswer(webhook.ownerId);
  const ending = new AbortController();
  const signal = AbortSignal.any([left, ending.signal]);
  const lines = createChunkLines(Date.now);
  excludeFromTiming(response);

  const begin = (): void => {
    clearTimeout(headTimer);
    if (response.headersSent || response.destroyed) return;
    liftTimeLimit(response);
    nameExecution(response, executionId);
    setWorkflowHeaders(response, settings.responseHeaders);
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
      const run = await Promise.race([runUntilResponse(call, start, signal), stopped]);
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

  function lastLines(run: StartedExecution | undefined): string {
    const answer = run?.response;
    if (answer !== undefined) {
      const isStreamed = isLines(answer);
      if (!isStreamed && answer.statusCode >= 500) return lines.ofError('Error in workflow');
      return lines.ofResponse(answer.body.toString(), isStreamed);
    }
    if (isStopping) return lines.ofError('This process is shutting down. The run continues.');
    return lines.ofError(
      run === undefined ? 'The run has not responded in time. It continues.' : 'The run ended without a response.',
    );
  }
};
