import type { Deadline } from '../http/deadline';
import { describeFailure } from '../http/describe-failure';
import type { OutboundError } from '../http/outbound-http';

/** Maximum number of characters repeated from a server's message. */
const MAX_SAID = 500;

/** A failure of a server of a protocol other than HTTP. The message is for the workflow's owner. */
export class RemoteFailed extends Error {
  /** `login`: the server refused it. `server`: it refused an operation. `limit`: it sent more than may be read. */
  readonly code: 'login' | 'server' | 'limit';
  /** The server's own code for it, such as 550, if it gave one. */
  readonly serverCode: number | undefined;

  constructor(message: string, code: RemoteFailed['code'], serverCode?: number, cause?: unknown) {
    super(message, { cause });
    this.name = 'RemoteFailed';
    this.code = code;
    this.serverCode = serverCode;
  }
}

/**
 * Rewords the failure that ended a session. The reason of the deadline takes precedence, since whatever ends a
 * session also shows up as a broken socket.
 */
export function remoteFailure(error: unknown, host: string, deadline: Deadline): RemoteFailed | OutboundError {
  return deadline.reason() ?? (error instanceof RemoteFailed ? error : describeFailure(error, host, deadline));
}

/** A server's message on one line, without characters that could pass for part of a message of Weft. */
export function saidBy(words: unknown): string {
  const text = typeof words === 'string' ? words.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim() : '';
  return text === '' ? '' : `: ${text.slice(0, MAX_SAID)}`;
}
