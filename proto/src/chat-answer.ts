import type { ChatButton, ChatMessage } from '../gen/weft/channels/v1/settings';

/** Content type of responses from a run to the gateway about its chat, which the gateway passes on to the page. */
export type ChatAnswerType = 'application/vnd.weft.chat+json';

/** A reply that a run waits for. */
export type ChatReplyWanted = {
  /** Path of the reply, without the origin. */
  readonly path: string;
  readonly buttons: readonly ChatButton[];
  /** Only buttons are accepted. */
  readonly blocksText: boolean;
  /** Unix milliseconds; absent: no limit. */
  readonly endsAt?: number;
};

/** State of the chat of a run, as JSON: written by runners and gateways, read by pages. */
export type ChatTold = {
  /** The conversation of the run, the oldest message first; very old ones are left out. */
  readonly messages: readonly ChatMessage[];
  /** Index of the first message after the last one of the user. */
  readonly since: number;
  /** Absent: the run waits for no reply. */
  readonly reply?: ChatReplyWanted;
  /** The run has failed. */
  readonly isFailed?: true;
  /** The run waits for something other than a reply. */
  readonly isPaused?: true;
};

/**
 * Path below /webhook-waiting/<token>/ of the chat of a run: alone for its state, followed by the wait for a reply to
 * it.
 */
export type ChatSuffix = '~chat';
