import type { ExecutionStart } from '@weft/proto/executions';
import { ExecutionMode, StartWait } from '@weft/proto/executions';
import type { ResolvedWebhook } from '@weft/proto/workflows';
import { remainingMs } from '@weft/service-kit/context';
import { InternalError } from '@weft/service-kit/errors';
import type { ServerResponse } from 'node:http';
import type { Clients } from '../../clients';
import { WebhookAnswerLate } from '../../errors';
import type { WebhookSettings } from './webhook-settings';
import { setWorkflowHeaders } from './write-webhook-answer';
import { writeRunAnswer } from './write-run-answer';

/** A webhook request that was let in. */
export interface WebhookStart {
  readonly response: ServerResponse;
  readonly webhook: ResolvedWebhook;
  readonly settings: WebhookSettings;
  readonly inputJson: Buffer;
  readonly idempotencyKey: string;
  readonly clients: Clients;
  /** Files were stored under it; absent: none were. */
  readonly executionId?: string;
}

/** Left of the request's time when a wait for the run's answer gives up: enough to still tell the caller. */
const WAIT_MARGIN_MS = 1_000;
const STARTED = Buffer.from('{"message":"Workflow was started"}');

const startOf = ({ webhook, inputJson, idempotencyKey, executionId }: WebhookStart): ExecutionStart => ({
  workflowId: webhook.workflowId,
  inputJson,
  startNode: webhook.node,
  idempotencyKey,
  wait: StartWait.START_WAIT_UNSPECIFIED,
  waitMs: 0,
  ignorePinData: true,
  mode: ExecutionMode.EXECUTION_MODE_WEBHOOK,
  versionId: webhook.versionId,
  ownerId: webhook.ownerId,
  ...(executionId === undefined ? {} : { executionId }),
});

/** Answers at once, by the node's settings: its text, no body at all, or the standard sentence. */
export const answerAtOnce = (response: ServerResponse, settings: WebhookSettings): void => {
  if (response.headersSent || response.destroyed) return;
  const { responseText, responseContentType, noResponseBody, responseCode, responseHeaders } = settings;
  const body = noResponseBody || responseCode === 204 ? undefined : responseText === undefined ? STARTED : Buffer.from(responseText);
  if (body !== undefined) {
    response.setHeader('content-type', responseText === undefined ? 'application/json; charset=utf-8' : (responseContentType ?? 'text/html; charset=utf-8'));
  }
  setWorkflowHeaders(response, responseHeaders);
  if (responseCode !== 204) response.setHeader('content-length', body?.length ?? 0);
  response.writeHead(responseCode).end(body);
};

/** Waits for the run's own answer, within the time left for the request. */
const answerByRun = async (start: WebhookStart): Promise<void> => {
  const waitMs = Math.max(1, remainingMs(30_000) - WAIT_MARGIN_MS);
  const wish = { ...startOf(start), wait: StartWait.START_WAIT_RESPONSE, waitMs };
  const { started } = await start.clients.executions.calls.startExecution({ start: wish }, { waits: true, deadlineMs: 30_000 });
  if (started === undefined) throw new InternalError(new Error('A start was answered without a result.'));
  if (started.answer === undefined) throw new WebhookAnswerLate(started.executionId);
  await writeRunAnswer(start.response, started.executionId, started.answer, start.clients);
};

/** Starts the run that a webhook request asks for, and answers the request as the node is set. */
export const startFromWebhook = async (start: WebhookStart): Promise<void> => {
  if (start.settings.responseMode !== 'onReceived') return answerByRun(start);
  await start.clients.executions.start(startOf(start));
  answerAtOnce(start.response, start.settings);
};
