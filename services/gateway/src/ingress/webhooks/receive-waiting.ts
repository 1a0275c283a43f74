import type { WebhookSettings } from '@weft/proto/channels';
import { type FindWaitResponse, StartWait } from '@weft/proto/executions';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { noteStarted } from '../../clients/send-start';
import { clientShare } from '../../middleware/client-origin';
import { WaitingMethodRefused } from '../../errors';
import { nameExecution } from '../../http/execution-header';
import { writeError } from '../../middleware/responses/error-response';
import { createStoreFile } from '../../uploads/store-file';
import { isChatAddress, receiveChat } from '../chat/receive-chat-reply';
import { type IngressOptions, openIngress } from '../open-ingress';
import { checkCaller } from './check-caller';
import { allowOrigin, answerPreflight } from './cross-origin';
import { answerAtOnce } from './start-from-webhook';
import { findOpenWait, readWaitingAddress } from './waiting-address';
import { readWebhookBody } from './webhook-body';
import { webhookItems } from './webhook-item';
import { responseOptions, WAITING_CALL, writeAwaitedAnswer } from './write-run-answer';
import { guardWebhookAnswer } from './write-webhook-answer';

const ROOT = '/webhook-waiting/';

interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly options: IngressOptions;
}

/**
 * Resumes the run, and responds to the caller as configured in the wait.
 * @throws ServiceError if another caller was faster
 */
const wake = async (
  { response, options }: Call,
  token: string,
  wait: FindWaitResponse,
  settings: WebhookSettings,
  input: Buffer,
): Promise<void> => {
  const { clients } = options;
  const isAtOnce = settings.responseMode === 'onReceived';
  const params = isAtOnce ? { wait: StartWait.START_WAIT_UNSPECIFIED, waitMs: 0 } : responseOptions();
  const request = { resumeToken: token, input, generation: wait.generation, ...params };
  noteStarted(wait.executionId);
  const { resumed } = await clients.executions.calls.resumeExecution(request, isAtOnce ? {} : WAITING_CALL);
  return isAtOnce ? answerAtOnce(response, settings, wait.executionId) : writeAwaitedAnswer(response, resumed, clients);
};

const receive = async (call: Call): Promise<void> => {
  const { request, response, options } = call;
  const address = readWaitingAddress(request, ROOT);
  if (isChatAddress(address)) return receiveChat({ request, response, options, address });
  const { token, suffix, query } = address;
  const { wait, settings, methods } = await findOpenWait(
    { token, suffix, query },
    clientShare(request, options),
    options.clients.executions.calls.findWait,
  );
  if (request.method === 'OPTIONS') return answerPreflight(request, response, settings.allowedOrigins, methods);
  if (!methods.includes(request.method ?? '')) throw new WaitingMethodRefused(request.method ?? 'GET', methods);
  allowOrigin(request, response, settings.allowedOrigins);
  const { claimsJson, headers, verifyBody } = await checkCaller(request, response, wait, settings.callers, {
    ...options,
    verifiesBodies: true,
  });
  nameExecution(response, wait.executionId);
  const { readBody, gateOf, clients } = options;
  const gate = gateOf(request, response);
  const body = await readWebhookBody(
    request,
    response,
    {
      readBody,
      gate,
      verifyBody,
      storeFile: createStoreFile(clients, wait.executionId),
      owner: wait,
    },
    settings,
  );
  await wake(
    call,
    token,
    wait,
    settings,
    webhookItems({ headers, params: {}, query, bodyJson: body.json, files: body.files, claimsJson }),
  );
};

/**
 * Handles requests to /webhook-waiting/<token>[/<suffix>], for every method: any caller who has the address of a
 * waiting run resumes it, once. Otherwise like a webhook: the body is read only after the caller was admitted.
 */
export const createWaitingReceiver = (options: IngressOptions): RequestListener => {
  const guard = (response: ServerResponse): void => {
    guardWebhookAnswer(response);
    // The address is a secret: it must not leak through links on a page or caches.
    response.setHeader('referrer-policy', 'no-referrer');
    response.setHeader('cache-control', 'no-store');
  };
  return openIngress(options, {
    root: ROOT,
    isSecret: true,
    guard,
    receive: (request, response) => receive({ request, response, options }),
    writeError,
  });
};
