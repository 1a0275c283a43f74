import type { ChatWait } from '@weft/proto/channels';
import type { ChatSuffix } from '@weft/proto/chat-answer';
import { type FindWaitResponse, StartWait } from '@weft/proto/executions';
import { InvalidRequest, ServiceError } from '@weft/service-kit/errors';
import { isObject } from '@weft/service-kit/json';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ChatReplyLate, WaitingMethodRefused } from '../../errors';
import { noteStarted } from '../../clients/send-start';
import { clientShare } from '../../middleware/client-origin';
import { createStoreFile } from '../../uploads/store-file';
import type { IngressOptions } from '../open-ingress';
import { LONG_CALL, repeatUntil, WAIT_MS } from '../webhooks/streaming/repeat-until';
import { type StreamedRun, streamLines } from '../webhooks/streaming/stream-lines';
import { findWaitSoon, type WaitingAddress } from '../webhooks/waiting-address';
import { readWebhookBody } from '../webhooks/webhook-body';
import { webhookItems } from '../webhooks/webhook-item';
import { chatResponse, chatWaitOf, toldOfWait } from './chat-told';

/** A request for the chat of a run. */
export interface ChatCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly options: IngressOptions;
  readonly address: WaitingAddress;
}

const FILE_RULES = { wholeBody: 'never', rawBody: false, fileProperty: 'files' };
const CHAT_SUFFIX: ChatSuffix = '~chat';
const METHODS = ['GET', 'POST'];
/** Time that the first look at a run may take. */
const LOOK_CALL = { waits: true, deadlineMs: 5_000 } as const;

/** True for an address below that of a waiting run which belongs to its chat. */
export const isChatAddress = ({ suffix }: WaitingAddress): boolean =>
  suffix === CHAT_SUFFIX || suffix.startsWith(`${CHAT_SUFFIX}/`);

const isNotWaiting = (error: unknown): boolean =>
  error instanceof ServiceError && error.reason === 'EXECUTION_NOT_WAITING';

/** The wait for a reply at the address. @throws ChatReplyLate if the run has continued */
const findReply = async ({
  request,
  options,
  address,
}: ChatCall): Promise<{ readonly wait: FindWaitResponse; readonly chat: ChatWait }> => {
  const { findWait } = options.clients.executions.calls;
  try {
    const wait = await findWaitSoon(address.token, clientShare(request, options), findWait);
    const chat = chatWaitOf(wait);
    if (chat !== undefined && wait.settings?.suffix === address.suffix) return { wait, chat };
  } catch (error) {
    if (!isNotWaiting(error)) throw error;
  }
  throw new ChatReplyLate();
};

const invalid = (field: string, message: string): InvalidRequest =>
  new InvalidRequest('The reply is not valid.', [{ field, message }]);

/**
 * The reply as the run sees it: `{ chatInput }` or `{ approved }`, without other fields.
 * @param bodyJson JSON text
 * @throws InvalidRequest
 */
const readReply = (bodyJson: string, { buttons, blocksText }: ChatWait): object => {
  const body: unknown = JSON.parse(bodyJson);
  const { approved, chatInput } = isObject(body) ? body : {};
  if (approved !== undefined) {
    // Fields of forms are strings.
    const value = approved === 'true' || (approved !== 'false' && approved);
    if (typeof value !== 'boolean') throw invalid('approved', 'must be true or false');
    if (buttons.some(({ approves }) => approves === value)) return { approved: value };
    throw invalid('approved', 'must be the value of a button of the message');
  }
  if (blocksText) throw invalid('approved', 'is required: the chat waits for a button, not for a message');
  if (typeof chatInput === 'string') return { chatInput };
  throw invalid('chatInput', 'must be a string');
};

const resume = async (call: ChatCall, wait: FindWaitResponse, chat: ChatWait): Promise<void> => {
  const { request, response, options, address } = call;
  const { clients, readBody, gateOf } = options;
  const storeFile = createStoreFile(clients, wait.executionId);
  const intake = { readBody, gate: gateOf(request, response), storeFile, owner: wait };
  const { json, files } = await readWebhookBody(request, response, intake, FILE_RULES);
  const bodyJson = JSON.stringify(readReply(json, chat));
  const input = webhookItems({ headers: {}, params: {}, query: '', bodyJson, files, claimsJson: '' });
  noteStarted(wait.executionId);
  const start = { wait: StartWait.START_WAIT_UNSPECIFIED, waitMs: 0, generation: wait.generation };
  try {
    await clients.executions.calls.resumeExecution({ resumeToken: address.token, input, ...start });
  } catch (error) {
    throw isNotWaiting(error) ? new ChatReplyLate() : error;
  }
};

/** A look at the run of a token. @param waitMs how long to wait for its response or its next wait */
const look = async (
  { options, address: { token } }: ChatCall,
  waitMs: number,
  callOptions: { readonly waits: true; readonly deadlineMs: number },
) => {
  const trail = { resumeToken: token, workflowId: '', startNode: '', idempotencyKey: '', waitMs };
  const { polled, waiting } = await options.clients.executions.calls.pollExecution(trail, callOptions);
  const told =
    waiting === undefined ? undefined : toldOfWait(token, waiting.settings?.suffix ?? '', chatWaitOf(waiting));
  const run: StreamedRun | undefined =
    told !== undefined
      ? { response: chatResponse(told) }
      : polled?.response !== undefined || polled?.ended !== undefined
        ? polled
        : undefined;
  return { run, executionId: polled?.executionId ?? waiting?.executionId ?? '', ownerId: waiting?.ownerId ?? '' };
};

/** Streams what the run says until it has responded, waits for a reply, or has ended. */
const follow = (call: ChatCall, executionId: string, ownerId: string): Promise<void> => {
  const { response, options } = call;
  const { clients, underWay } = options;
  return streamLines({ response, clients, underWay, executionId, ownerId, headers: [] }, (signal) =>
    repeatUntil(async () => (await look(call, WAIT_MS, LONG_CALL)).run, signal),
  );
};

/**
 * Handles requests to /webhook-waiting/<token>/~chat: GET follows the chat of the run. POST to the address of a wait,
 * which the run gives, replies to it and follows the chat. Responses are lines of JSON.
 * @throws ChatReplyLate, WaitNotFound, InvalidRequest, PayloadTooLarge
 */
export const receiveChat = async (call: ChatCall): Promise<void> => {
  const { method = '' } = call.request;
  if (method === 'POST') {
    const { wait, chat } = await findReply(call);
    await resume(call, wait, chat);
    return follow(call, wait.executionId, wait.ownerId);
  }
  if (method !== 'GET') throw new WaitingMethodRefused(method, METHODS);
  const { executionId, ownerId } = await look(call, 0, LOOK_CALL);
  return follow(call, executionId, ownerId);
};
