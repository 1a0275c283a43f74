import type { WebhookSettings } from '@weft/proto/channels';
import { ExecutionMode, type ExecutionStart, StartWait } from '@weft/proto/executions';
import type { ResolvedWebhook } from '@weft/proto/workflows';
import { typeInUtf8 } from '@weft/service-kit/content-types';
import type { ServerResponse } from 'node:http';
import { type ReceivedCall, startOrKeep } from './store-delivery';
import { responseOptions, WAITING_CALL, writeAwaitedAnswer } from './write-run-answer';
import { setWorkflowHeaders } from './write-webhook-answer';

/** A webhook or form request that starts a run. */
export interface HookCall {
  readonly webhook: ResolvedWebhook;
  readonly input: Buffer;
  readonly idempotencyKey: string;
  /** The id of the execution; files may have been stored under it. */
  readonly executionId: string;
  /** SHA-256 of its files; absent if it has none. */
  readonly contentDigest?: Buffer;
}

/** The start of a run for a call, without waiting for its end. */
export const hookStart = ({
  webhook,
  input,
  idempotencyKey,
  executionId,
  contentDigest,
}: HookCall): ExecutionStart => ({
  workflowId: webhook.workflowId,
  input,
  startNode: webhook.node,
  idempotencyKey,
  wait: StartWait.START_WAIT_UNSPECIFIED,
  waitMs: 0,
  usePinData: false,
  mode: ExecutionMode.EXECUTION_MODE_WEBHOOK,
  versionId: webhook.versionId,
  ownerId: webhook.ownerId,
  executionId,
  ...(contentDigest === undefined ? {} : { contentDigest }),
});

/** An admitted webhook request. */
export interface WebhookStart extends ReceivedCall {
  readonly response: ServerResponse;
  readonly settings: WebhookSettings;
}

const STARTED = Buffer.from('{"message":"Workflow was started"}');

/** Responds immediately as configured in the node: its text, no body, or the standard sentence. */
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
  const type = response.getHeader('content-type');
  if (body !== undefined && typeof type === 'string') response.setHeader('content-type', typeInUtf8(type));
  if (responseCode !== 204) response.setHeader('content-length', body?.length ?? 0);
  response.writeHead(responseCode).end(body);
};

/** Waits for the run's response within the time left for the request. */
const answerByRun = async (start: WebhookStart): Promise<void> => {
  const started = await startOrKeep(start, () =>
    start.clients.executions.startByItself({ ...hookStart(start), ...responseOptions() }, WAITING_CALL),
  );
  await writeAwaitedAnswer(start.response, started, start.clients);
};

/** Starts the run for a webhook request, and responds as configured in the node. */
export const startFromWebhook = async (start: WebhookStart): Promise<void> => {
  if (start.settings.responseMode !== 'onReceived') return answerByRun(start);
  await startOrKeep(start, () => start.clients.executions.start(hookStart(start)));
  answerAtOnce(start.response, start.settings);
};
