import type { ServerResponse } from 'node:http';
import { responseOptions, WAITING_CALL, writeAwaitedAnswer } from './await-run-answer';
import { hookStart } from './hook-start';
import { type ReceivedCall, startOrKeep } from './store-delivery';
import type { WebhookSettings } from './webhook-settings';
import { setWorkflowHeaders } from './write-webhook-answer';

/** A webhook request that was let in. */
export interface WebhookStart extends ReceivedCall {
  readonly response: ServerResponse;
  readonly settings: WebhookSettings;
}

const STARTED = Buffer.from('{"message":"Workflow was started"}');

/** Answers at once, by the node's settings: its text, no body at all, or the standard sentence. */
export const answerAtOnce = (response: ServerResponse, settings: WebhookSettings): void => {
  if (response.headersSent || response.destroyed) return;
  const { responseText, responseContentType, noResponseBody, responseCode, responseHeaders } = settings;
  const body =
    noResponseBody || responseCode === 204
      ? undefined
      : responseText === undefined
        ? STARTED
        : Buffer.from(responseText);
  if (body !== undefined) {
    response.setHeader(
      'content-type',
      responseText === undefined
        ? 'application/json; charset=utf-8'
        : (responseContentType ?? 'text/html; charset=utf-8'),
    );
  }
  setWorkflowHeaders(response, responseHeaders);
  if (responseCode !== 204) response.setHeader('content-length', body?.length ?? 0);
  response.writeHead(responseCode).end(body);
};

/** Waits for the run's own answer, within the time left for the request. */
const answerByRun = async (start: WebhookStart): Promise<void> => {
  const started = await startOrKeep(start, () =>
    start.clients.executions.startByItself({ ...hookStart(start), ...responseOptions() }, WAITING_CALL),
  );
  await writeAwaitedAnswer(start.response, started, start.clients);
};

/** Starts the run that a webhook request asks for, and answers the request as the node is set. */
export const startFromWebhook = async (start: WebhookStart): Promise<void> => {
  if (start.settings.responseMode !== 'onReceived') return answerByRun(start);
  await startOrKeep(start, () => start.clients.executions.start(hookStart(start)));
  answerAtOnce(start.response, start.settings);
};
