import type { WebhookSettings } from '@weft/proto/channels';
import { ExecutionMode, type ExecutionStart, StartWait } from '@weft/proto/executions';
import type { ResolvedWebhook } from '@weft/proto/workflows';
import { typeInUtf8 } from '@weft/service-kit/content-types';
import { textField } from '@weft/service-kit/json';
import type { ServerResponse } from 'node:http';
import { nameExecution } from '../../http/execution-header';
import type { UnderWay } from '../../middleware/limits/time-limit';
import type { EventKey } from './event-key';
import { type ReceivedCall, startOrKeep } from './store-delivery';
import { responseOptions, WAITING_CALL, writeAwaitedAnswer } from './write-run-answer';
import { streamAnswer } from './streaming/stream-answer';
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
  /** The event of its sender, if it is recognized and there is no idempotency key. */
  readonly event?: EventKey | undefined;
}

/** The start of a run for a call, without waiting for its end. */
export const hookStart = ({
  webhook,
  input,
  idempotencyKey,
  executionId,
  contentDigest,
  event,
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
  ...event,
});

/** An admitted webhook request. */
export interface WebhookStart extends ReceivedCall {
  readonly response: ServerResponse;
  readonly settings: WebhookSettings;
  readonly underWay: UnderWay;
  /** JSON text. */
  readonly bodyJson: string;
}

const STARTED = Buffer.from('{"message":"Workflow was started"}');

/** Responds immediately as configured in the node: its text, no body, or the standard sentence. */
export const answerAtOnce = (response: ServerResponse, settings: WebhookSettings, executionId: string): void => {
  if (response.headersSent || response.destroyed) return;
  nameExecution(response, executionId);
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

const writeJson = (
  response: ServerResponse,
  status: number,
  value: { readonly executionId: string; readonly [field: string]: string },
): void => {
  if (response.headersSent || response.destroyed) return;
  nameExecution(response, value.executionId);
  const body = Buffer.from(JSON.stringify(value));
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('content-length', body.length);
  response.writeHead(status).end(body);
};

/** Responds to a repeated call of an event: nothing more will be done for it. */
const answerRepeat = (response: ServerResponse, executionId: string): void =>
  writeJson(response, 200, { message: 'This event was already received.', executionId });

const answerKept = (response: ServerResponse, deliveryId: string): void =>
  writeJson(response, 202, {
    message: 'The request is stored. The workflow will be started as soon as possible.',
    executionId: deliveryId,
    deliveryId,
  });

/** True if a call of an event was sent before, and its first execution is another one. */
const isRepeat = ({ event, executionId }: HookCall, startedId: string): boolean =>
  event !== undefined && startedId !== executionId;

const FIRST_ERROR_STATUS = 500;

/**
 * Waits for the run's response within the time left for the request. A call that cannot be started is not stored: its
 * caller needs a result, and sends it again. A repeated event gets the response of its first run, unless that run has
 * failed or takes too long: sending it again would change nothing.
 */
const answerByRun = async (start: WebhookStart): Promise<void> => {
  const { response, clients } = start;
  const run = await clients.executions.startByItself({ ...hookStart(start), ...responseOptions() }, WAITING_CALL);
  const hasFailed = (run.response?.statusCode ?? FIRST_ERROR_STATUS) >= FIRST_ERROR_STATUS;
  if (isRepeat(start, run.executionId) && hasFailed) return answerRepeat(response, run.executionId);
  await writeAwaitedAnswer(response, run, clients);
};

/** True if calls are answered with lines of JSON. */
export const isStreamed = ({ responseMode }: WebhookSettings): boolean =>
  responseMode === 'streaming' || responseMode === 'chat';

/** True for a chat that asks for the messages of its session: they are one JSON object. */
const loadsSession = ({ bodyJson }: WebhookStart): boolean => {
  if (!bodyJson.includes('"loadPreviousSession"')) return false;
  return textField(JSON.parse(bodyJson), 'action') === 'loadPreviousSession';
};

/** Starts the run for a webhook request, and responds as configured in the node. */
export const startFromWebhook = async (start: WebhookStart): Promise<void> => {
  const { response, settings, clients } = start;
  if (isStreamed(settings) && !loadsSession(start)) return streamAnswer(start, hookStart(start));
  if (settings.responseMode !== 'onReceived') return answerByRun(start);
  const { executionId, isKept } = await startOrKeep(start, () => clients.executions.start(hookStart(start)));
  if (isRepeat(start, executionId)) return answerRepeat(response, executionId);
  return isKept ? answerKept(response, executionId) : answerAtOnce(response, settings, executionId);
};
