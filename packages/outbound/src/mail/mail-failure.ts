import { MailFailed, type MailServer } from './mail';
import type { MailBounds } from './mail-bounds';
import { OutboundError } from '../http/outbound-http';
import type { Deadline } from '../http/deadline';

/** Maximum number of characters repeated from a server's message. */
const MAX_SAID = 500;

/** Messages by the library's error code, followed by the server's own message. */
const WORDS: Readonly<Record<string, string>> = {
  EAUTH: 'The mail server refused the login',
  ENOAUTH: 'The mail server wants a login. Give the credential a user and a password',
  EENVELOPE: 'The mail server refused the sender or every recipient',
  EMESSAGE: 'The mail server refused the mail',
  EMAXRECIPIENTS: 'The mail has too many recipients',
  ECONNECTION: 'The mail server closed the connection',
  ESOCKET: 'The connection to the mail server broke',
  EPROTOCOL: 'The server is not a mail server',
  ETLS: 'No encrypted connection to the mail server came about',
};

interface LibraryError {
  readonly message: string;
  readonly code: string;
  readonly response: string | undefined;
  readonly responseCode: number | undefined;
  /** The time limit that passed, as the library names it. */
  readonly timeoutType: string | undefined;
}

/**
 * Rewords a failure. The deadline's reason takes precedence: whatever ends a mail also shows up as a
 * broken socket too.
 */
export function mailFailure(
  error: unknown,
  server: MailServer,
  deadline: Deadline,
  bounds: MailBounds,
): MailFailed | OutboundError {
  const reason = deadline.reason();
  if (reason !== undefined) return reason;
  if (error instanceof OutboundError) return error;
  const { message, code, response, responseCode, timeoutType } = libraryError(error);
  const words =
    code === 'ETIMEDOUT'
      ? `The mail server did not answer within ${limitOf(timeoutType, bounds)} ms`
      : ((Object.hasOwn(WORDS, code) ? WORDS[code] : undefined) ?? 'The mail could not be sent');
  const said = (response || readable(message)).replaceAll(/\s+/g, ' ').trim().slice(0, MAX_SAID);
  return new MailFailed(
    `${words} (host "${server.host}"${said === '' ? '' : `: ${said}`}).${advice(code, said, server)}`,
    code,
    responseCode,
    error,
  );
}

/** The time limit of a phase. The library has one limit for the connection, the greeting and TLS. */
function limitOf(timeoutType: string | undefined, { greetingMs, silenceMs }: MailBounds): number {
  return timeoutType === 'SOCKET_TIMEOUT' ? silenceMs : greetingMs;
}

function advice(code: string, said: string, { secure, port }: MailServer): string {
  if (/wrong version number|packet length too long/i.test(said) && secure)
    return (
      ` Port ${port} does not speak TLS from the start: turn "secure" off in the credential, the connection is ` +
      'then upgraded by STARTTLS.'
    );
  if (/certificate|altnames/i.test(said))
    return ' The option "Ignore SSL Issues" accepts certificates that cannot be verified.';
  if ((code === 'ETIMEDOUT' || code === 'ECONNECTION') && !secure && port === 465)
    return ' Port 465 speaks TLS from the start: turn "secure" on in the credential.';
  return '';
}

/** The reason alone, from the error of the TLS library. */
function readable(message: string): string {
  return /^[0-9A-F]+:error:[0-9A-F]*:[^:]*:[^:]*:([^:]*):/.exec(message)?.[1] ?? message;
}

function libraryError(error: unknown): LibraryError {
  const from = (name: string): unknown =>
    typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
  const [message, code, response, responseCode, timeoutType] = [
    from('message'),
    from('code'),
    from('response'),
    from('responseCode'),
    from('timeoutType'),
  ];
  return {
    message: typeof message === 'string' ? message : '',
    code: typeof code === 'string' ? code : 'EMAIL',
    response: typeof response === 'string' ? response : undefined,
    responseCode: typeof responseCode === 'number' ? responseCode : undefined,
    timeoutType: typeof timeoutType === 'string' ? timeoutType : undefined,
  };
}
