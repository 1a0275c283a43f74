import type { Json, JsonObject } from '@weft/node-catalogue';
import type { WebhookResponse } from '@weft/nodes/descriptors';
import { chatWithoutReply, getPath } from '@weft/nodes/executors';
import { typeInUtf8 } from '@weft/service-kit/content-types';
import type { HttpResponse, Item, RunData, RunOutcome, WaitRequest } from '@weft/engine';
import { type AnsweringRun, linesOfFailure, linesOfItems } from './streamed-answer';

/** The parts of a halted run from which a response is made. */
export interface HaltedRun {
  readonly outcome: RunOutcome;
  readonly records: RunData;
  /** State shared by the nodes of the run. */
  readonly runMemory?: JsonObject;
}

/** No caller waits longer than this for a run that pauses. */
const MAX_CALLER_WAIT_MS = 30_000;
const JSON_TYPE = 'application/json; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';

const inUtf8 = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
  ...headers,
  'content-type': typeInUtf8(headers['content-type'] ?? ''),
});

const jsonAnswer = (status: number, headers: Readonly<Record<string, string>>, value: Json): HttpResponse => ({
  status,
  headers: inUtf8({ 'content-type': JSON_TYPE, ...headers }),
  body: JSON.stringify(value),
});

const headersOf = ({ responseHeaders }: WebhookResponse): Readonly<Record<string, string>> =>
  Object.fromEntries(responseHeaders.map(({ name, value }) => [name.toLowerCase(), value]));

/** Id of a node of the workflow, by its name; empty for none. */
export type NodeIdOf = (nodeName: string) => string;

const lastItems = ({ outcome, records }: HaltedRun): readonly Item[] =>
  (outcome.kind === 'success' && outcome.lastNode !== undefined
    ? records.get(outcome.lastNode)?.at(-1)?.data?.main?.[0]
    : undefined) ?? [];

/** The input items of the waiting node. */
const waitingItems = ({ outcome, records }: HaltedRun): readonly Item[] => {
  const source = outcome.kind === 'waiting' ? outcome.state.ready[0]?.sources.find((one) => one !== null) : undefined;
  if (source === undefined || source === null) return [];
  return (
    records.get(source.previousNode)?.[source.previousNodeRun ?? 0]?.data?.main?.[source.previousNodeOutput ?? 0] ?? []
  );
};

/** The last run of a node. */
const answeringRun = ({ records }: HaltedRun, nodeName: string, nodeIdOf: NodeIdOf): AnsweringRun => ({
  nodeName,
  nodeId: nodeIdOf(nodeName),
  runIndex: Math.max(0, (records.get(nodeName)?.length ?? 0) - 1),
});

/** The configured content type. */
const typed = (type: string | undefined): Readonly<Record<string, string>> =>
  type === undefined ? {} : { 'content-type': type };

const fieldAnswer = (
  settings: WebhookResponse,
  headers: Readonly<Record<string, string>>,
  value: Json,
): HttpResponse => {
  const type = settings.responseContentType;
  if (typeof value === 'string')
    return {
      status: settings.responseCode,
      headers: inUtf8({ 'content-type': HTML_TYPE, ...headers, ...typed(type) }),
      body: value,
    };
  return jsonAnswer(settings.responseCode, { ...headers, ...typed(type) }, value);
};

/** The run succeeded without output to respond with. */
const noAnswer = (message: string): HttpResponse => jsonAnswer(500, {}, { code: 0, message });

const fileAnswer = (
  settings: WebhookResponse,
  headers: Readonly<Record<string, string>>,
  { binary = {} }: Item,
): HttpResponse => {
  const name = settings.responseBinaryPropertyName;
  const file = Object.hasOwn(binary, name) ? binary[name] : undefined;
  if (Object.keys(binary).length === 0) return noAnswer('No binary data was found to return');
  if (file === undefined) return noAnswer(`The binary property '${name}' which should be returned does not exist`);
  return {
    status: settings.responseCode,
    headers: { 'content-type': file.mimeType, ...headers },
    body: '',
    fileId: file.id,
  };
};

const itemsAnswer = (items: readonly Item[], settings: WebhookResponse): HttpResponse => {
  const headers = headersOf(settings);
  if (settings.responseData === 'noData') return { status: settings.responseCode, headers, body: '' };
  if (settings.responseData === 'allEntries')
    return jsonAnswer(
      settings.responseCode,
      headers,
      items.map((item) => item.json),
    );
  const [first] = items;
  if (first === undefined) {
    const asFile = settings.responseData === 'firstEntryBinary';
    return noAnswer(asFile ? 'No item was found to return' : 'No item to return was found');
  }
  if (settings.responseData === 'firstEntryBinary') return fileAnswer(settings, headers, first);
  if (settings.responsePropertyName === undefined) return fieldAnswer(settings, headers, first.json);
  const value = getPath(first.json, settings.responsePropertyName);
  return value === undefined
    ? { status: settings.responseCode, headers: { 'content-type': JSON_TYPE, ...headers }, body: '' }
    : fieldAnswer(settings, headers, value);
};

/**
 * The response for the caller of a webhook at the end of a run without a Respond node; undefined if the webhook
 * responded at once, or the run has not ended. If a Respond node was expected but did not run, there is no content. A
 * failed run responds 500 without details, which the caller may not be permitted to see.
 */
export const answerAtEnd = (
  run: HaltedRun,
  settings: WebhookResponse,
  nodeIdOf: NodeIdOf,
  now: number,
): HttpResponse | undefined => {
  if (settings.responseMode === 'onReceived' || (run.outcome.kind !== 'success' && run.outcome.kind !== 'error'))
    return undefined;
  if (settings.responseMode === 'streaming') {
    const last = answeringRun(run, run.outcome.lastNode ?? '', nodeIdOf);
    return run.outcome.kind === 'error' ? linesOfFailure(last) : linesOfItems(lastItems(run), last, now);
  }
  if (settings.responseMode === 'chat')
    return chatWithoutReply(run.runMemory, run.outcome.kind === 'error' ? { isFailed: true } : {});
  if (run.outcome.kind === 'error') return jsonAnswer(500, {}, { message: 'Error in workflow' });
  if (settings.responseMode === 'responseNode')
    return { status: 200, headers: { 'content-type': JSON_TYPE }, body: '' };
  return itemsAnswer(lastItems(run), settings);
};

const chatAnnouncement = (request: WaitRequest): HttpResponse | undefined =>
  request.kind === 'webhook' && request.settings.channel?.$case === 'chat' ? request.announce : undefined;

/**
 * The response for a caller that still waits when the run pauses for longer than the caller would, or until another
 * call wakes it: with `lastNode` the input items of the waiting node, else that the run waits. Undefined if the run
 * continues in time to respond, or the webhook responded at once.
 * @param now Unix milliseconds.
 */
export const answerAtPause = (
  run: HaltedRun,
  settings: WebhookResponse,
  nodeIdOf: NodeIdOf,
  now: number,
): HttpResponse | undefined => {
  if (run.outcome.kind !== 'waiting' || settings.responseMode === 'onReceived') return undefined;
  const { wait: request } = run.outcome;
  // The page of a chat waits for what the run says next; another caller would get that as its response.
  if (settings.responseMode === 'chat')
    return request.kind === 'webhook'
      ? (chatAnnouncement(request) ?? chatWithoutReply(run.runMemory, { isPaused: true }))
      : undefined;
  if (request.kind === 'child' || (request.kind === 'timer' && request.at - now < MAX_CALLER_WAIT_MS)) return undefined;
  if (settings.responseMode === 'responseNode' || settings.tellsPause === true)
    return jsonAnswer(200, {}, { message: 'The workflow is waiting and has not responded yet.' });
  if (settings.responseMode !== 'streaming') return itemsAnswer(waitingItems(run), settings);
  const source = run.outcome.state.ready[0]?.sources.find((one) => one !== null);
  return linesOfItems(waitingItems(run), answeringRun(run, source?.previousNode ?? '', nodeIdOf), now);
};

/**
 * The response for a caller that waits and got none from a node: by the rules of a webhook, else of the wait.
 * @param now Unix milliseconds.
 */
export const answerOf = (
  run: HaltedRun,
  settings: WebhookResponse | undefined,
  nodeIdOf: NodeIdOf,
  now: number,
): HttpResponse | undefined => {
  if (settings !== undefined)
    return answerAtEnd(run, settings, nodeIdOf, now) ?? answerAtPause(run, settings, nodeIdOf, now);
  return run.outcome.kind === 'waiting' && run.outcome.wait.kind === 'webhook' ? run.outcome.wait.announce : undefined;
};
