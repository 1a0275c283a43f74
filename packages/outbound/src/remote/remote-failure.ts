import type { Deadline } from '../deadline';
import { describeFailure } from '../describe-failure';
import type { OutboundError } from '../outbound-http';

/** Characters of a server's own words that are repeated. */
const MAX_SAID = 500;

/** Why a server of another protocol than HTTP did not do what was asked. The message is for the workflow's owner. */
export class RemoteFailed extends Error {
  /** `login`: the server refused it. `server`: it refused an operation. `limit`: more than may be read. */
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
 * Puts what ended a session into words of our own. The reason of the deadline comes first, as everything that ends a
 * session shows up as a broken socket too.
 */
export function remoteFailure(error: unknown, host: string, deadline: Deadline): RemoteFailed | OutboundError {
  return deadline.reason() ?? (error instanceof RemoteFailed ? error : describeFailure(error, host, deadline));
}

/** A server's words on one line, without what could be mistaken for ours. */
export function saidBy(words: unknown): string {
  const text = typeof words === 'string' ? words.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim() : '';
  return text === '' ? '' : `: ${text.slice(0, MAX_SAID)}`;
}
