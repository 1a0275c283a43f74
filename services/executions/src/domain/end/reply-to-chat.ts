import type { ChatWait } from '@weft/proto/channels';
import type { Principal } from '@weft/service-kit/auth';
import { InvalidRequest } from '@weft/service-kit/errors';
import { loadOwned } from './cancel-execution';
import type { ScopedReads } from '../read/scoped-executions';
import { ExecutionNotFound, ExecutionNotWaiting } from '../state/errors';
import type { ExecutionRecord } from '../state/execution';
import { isEndState } from '../state/execution-state';
import { wakeWrite } from '../state/free-writes';
import { MAX_CHAT_REPLY } from '../state/limits';
import type { ApplyWrite, Clock, Publish } from '../state/ports';

/** A reply: a message, or the value of a button. */
export type ChatReply = { readonly chatInput: string } | { readonly approved: boolean };

/** A reply to the message that an execution waits at. */
export interface ReplyParams {
  readonly executionId: string;
  /** Id of the wait, as `replyOf` gives it. */
  readonly run: string;
  readonly reply: ChatReply;
}

/**
 * Replies in the chat of an execution, on behalf of a user. Each wait gets one reply.
 * @throws ExecutionNotFound, Forbidden, ExecutionNotWaiting, InvalidRequest
 */
export type ReplyToChat = (params: ReplyParams, principal: Principal | undefined) => Promise<ExecutionRecord>;

/** The chat in the encoded settings of a wait; undefined if it waits for something else. */
export type ReadChatWait = (settings: Buffer) => ChatWait | undefined;

/** Ports of replying. */
export interface ReplyPorts {
  readonly reads: ScopedReads;
  readonly apply: ApplyWrite;
  readonly publish: Publish;
  readonly clock: Clock;
  readonly readChatWait: ReadChatWait;
}

/** The reply that an execution waits for. Its id is the number of the wait, which no other wait of the run has. */
export const replyOf = (
  { state, generation, wait }: Pick<ExecutionRecord, 'state'> & Partial<Pick<ExecutionRecord, 'generation' | 'wait'>>,
  readChatWait: ReadChatWait,
): { readonly run: string; readonly chat: ChatWait } | undefined => {
  if (state !== 'waiting' || generation === undefined || wait?.settings === undefined) return undefined;
  const chat = readChatWait(wait.settings);
  return chat && { run: String(generation), chat };
};

const invalid = (field: string, message: string): InvalidRequest =>
  new InvalidRequest('The reply is not valid.', [{ field, message }]);

/** @throws InvalidRequest for a reply that the message does not ask for */
const checkReply = (reply: ChatReply, { buttons, blocksText }: ChatWait): void => {
  if ('approved' in reply) {
    if (!buttons.some(({ approves }) => approves === reply.approved))
      throw invalid('approved', 'must be the value of a button of the message');
    return;
  }
  if (blocksText) throw invalid('approved', 'is required: the chat waits for a button, not for a message');
  if (reply.chatInput.length > MAX_CHAT_REPLY) throw invalid('text', `must have at most ${MAX_CHAT_REPLY} characters`);
};

/** Replies in the chats of executions. */
export const createReplyToChat =
  ({ reads, apply, publish, clock, readChatWait }: ReplyPorts): ReplyToChat =>
  async ({ executionId, run, reply }, principal) => {
    const record = await loadOwned(executionId, principal, reads);
    const wanted = replyOf(record, readChatWait);
    if (wanted?.run !== run) throw new ExecutionNotWaiting(isEndState(record.state));
    checkReply(reply, wanted.chat);
    const { response } = record;
    const itemsJson = Buffer.from(JSON.stringify([{ json: { body: reply } }]));
    const cause = { kind: 'webhook' as const, itemsJson, ...(response === undefined ? {} : { response }) };
    const { outcome } = await apply(
      executionId,
      wakeWrite({ generation: record.generation }, cause, new Date(clock())),
    );
    if (outcome !== 'applied') throw new ExecutionNotWaiting(false);
    publish(executionId, `${record.generation + 1}`);
    const woken = await reads.read(executionId);
    if (woken === undefined) throw new ExecutionNotFound(executionId);
    return woken;
  };
