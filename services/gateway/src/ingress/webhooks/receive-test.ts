import { ExecutionMode } from '@weft/proto/executions';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { noteIntent } from '../../clients/send-start';
import { TestCallNotFound } from '../../errors';
import { writeError } from '../../middleware/responses/error-response';
import { type IngressOptions, openIngress } from '../open-ingress';
import { answerPreflight } from './cross-origin';
import { addressOf, calledMethod, isPreflight, readCall, webhookSettingsOf } from './receive-webhook';
import { answerAtOnce, hookStart } from './start-from-webhook';
import { responseOptions, WAITING_CALL, writeAwaitedAnswer } from './write-run-answer';
import { guardWebhookAnswer } from './write-webhook-answer';

const ROOT = '/webhook-test/';

const receive = async (request: IncomingMessage, response: ServerResponse, options: IngressOptions): Promise<void> => {
  const { listening, executions } = options.clients;
  const address = addressOf(request, ROOT, (...of) => new TestCallNotFound(...of));
  if (!isPreflight(request)) noteIntent();
  const method = calledMethod(request);
  const { path } = address;
  const { webhook, listeningId } = await listening.findListening({ method, path });
  if (webhook?.found !== true) throw new TestCallNotFound(method, path);
  const settings = webhookSettingsOf(webhook);
  if (isPreflight(request)) return answerPreflight(request, response, settings.allowedOrigins, [method]);
  const found = { request, response, webhook, settings, address, method, root: ROOT, executionMode: 'test' } as const;
  const { event: _event, ...call } = await readCall(found, options);
  const { workflowId } = webhook;
  const { executionId } = call;
  // Only an admitted call with a readable body uses up the listening.
  if (!(await listening.calls.takeListening({ workflowId, listeningId, executionId })).taken)
    throw new TestCallNotFound(method, path);
  const start = {
    ...hookStart({ ...call, webhook, idempotencyKey: '' }),
    mode: ExecutionMode.EXECUTION_MODE_MANUAL,
    usePinData: true,
  };
  if (settings.responseMode === 'onReceived') {
    await executions.start(start);
    return answerAtOnce(response, settings, executionId);
  }
  const run = await executions.startByItself({ ...start, ...responseOptions() }, WAITING_CALL);
  await writeAwaitedAnswer(response, run, options.clients);
};

/**
 * Handles requests to /webhook-test/<path>: the one call that a workflow in an editor listens for starts its draft, as
 * a manual run. A call that cannot be started is not stored, and every call is a new one: its sender is at the screen.
 */
export const createTestReceiver = (options: IngressOptions): RequestListener =>
  openIngress(options, {
    root: ROOT,
    isSecret: false,
    guard: guardWebhookAnswer,
    receive: (request, response) => receive(request, response, options),
    writeError,
  });
