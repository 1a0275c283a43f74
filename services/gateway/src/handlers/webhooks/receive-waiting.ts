import { StartWait } from '@weft/proto/executions';
import { remainingMs } from '@weft/service-kit/context';
import { InternalError } from '@weft/service-kit/errors';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { WaitingMethodRefused, WebhookAnswerLate } from '../../errors';
import { writeError } from '../../middleware/error-response';
import { assignRequestId } from '../../middleware/request-id';
import { runWithinLimit } from '../../middleware/time-limit';
import { createStoreFile } from '../uploads/store-file';
import { checkCaller } from './check-caller';
import { allowOrigin, answerPreflight } from './cross-origin';
import type { WebhookOptions } from './receive-webhook';
import { answerAtOnce } from './start-from-webhook';
import { findOpenWait, readWaitingAddress, type OpenWait } from './waiting-address';
import { readWebhookBody } from './webhook-body';
import { webhookItems } from './webhook-item';
import { createSettingsReader, texts, type ReadWebhookSettings, type WebhookSettings } from './webhook-settings';
import { writeRunAnswer } from './write-run-answer';
import { guardWebhookAnswer } from './write-webhook-answer';

const ROOT = '/webhook-waiting/';

/** Left of the request's time when waiting for the run's answer is given up: enough to still tell the caller. */
const WAIT_MARGIN_MS = 1_000;

interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly options: WebhookOptions;
}

/** Wakes the run, and answers the caller as the wait says. @throws ServiceError if somebody else was faster */
const wake = async ({ response, options }: Call, token: string, { wait }: OpenWait, settings: WebhookSettings, inputJson: Buffer): Promise<void> => {
  const { clients } = options;
  const isAtOnce = settings.responseMode === 'onReceived';
  const waitMs = Math.max(1, remainingMs(30_000) - WAIT_MARGIN_MS);
  const wish = isAtOnce ? { wait: StartWait.START_WAIT_UNSPECIFIED, waitMs: 0 } : { wait: StartWait.START_WAIT_RESPONSE, waitMs };
  const request = { resumeToken: token, inputJson, generation: wait.generation, ...wish };
  const { resumed } = await clients.executions.calls.resumeExecution(request, isAtOnce ? {} : { waits: true, deadlineMs: 30_000 });
  if (isAtOnce) return answerAtOnce(response, settings);
  if (resumed === undefined) throw new InternalError(new Error('A resumption was answered without a result.'));
  if (resumed.answer === undefined) throw new WebhookAnswerLate(resumed.executionId);
  await writeRunAnswer(response, resumed.executionId, resumed.answer, clients);
};

const receive = async (call: Call, readSettings: ReadWebhookSettings): Promise<void> => {
  const { request, response, options } = call;
  const { token, suffix, query } = readWaitingAddress(request, ROOT);
  const open = await findOpenWait({ token, suffix, query }, 'webhook', options.clients);
  const settings = readSettings(open.wait.settingsJson);
  const methods = texts(open.settings.rest['methods']);
  if (request.method === 'OPTIONS') return answerPreflight(request, response, settings.allowedOrigins, methods);
  if (!methods.includes(request.method ?? '')) throw new WaitingMethodRefused(request.method ?? 'GET', methods);
  allowOrigin(request, response, settings.allowedOrigins);
  const { claimsJson, headers } = await checkCaller(request, response, open.wait.ownerId, settings, options);
  const { readBody, gate, clients } = options;
  const body = await readWebhookBody(request, response, { readBody, gate, storeFile: createStoreFile(clients, open.wait.executionId) }, settings);
  await wake(call, token, open, settings, webhookItems({ headers, params: {}, query, bodyJson: body.json, files: body.files, claimsJson }));
};

/**
 * Takes the requests to /webhook-waiting/<token>[/<suffix>], for every method: whoever has the address of a run that waits
 * wakes it, once. Like a webhook otherwise: the body is read only after the caller was let in.
 */
export const createWaitingReceiver = (options: WebhookOptions): RequestListener => {
  const readSettings = createSettingsReader();
  const { logger, requestTimeLimitMs: limitMs } = options;
  return (request, response) => {
    const requestId = assignRequestId(request, response);
    guardWebhookAnswer(response);
    // The address is a secret: neither links on a page nor caches are to pass it on.
    response.setHeader('referrer-policy', 'no-referrer');
    response.setHeader('cache-control', 'no-store');
    runWithinLimit(response, { requestId, limitMs, logger }, () => {
      receive({ request, response, options }, readSettings).catch((error: unknown) => writeError(response, error, logger));
    });
  };
};
