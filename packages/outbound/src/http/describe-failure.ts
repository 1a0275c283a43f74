import { OutboundError, type OutboundErrorCode } from './outbound-http';
import type { Deadline } from './deadline';

const NETWORK: Readonly<Record<string, readonly [OutboundErrorCode, string]>> = {
  ENOTFOUND: ['HOST_NOT_FOUND', 'No address was found for the host. Check its spelling.'],
  EAI_AGAIN: ['HOST_NOT_FOUND', 'The host name could not be looked up at the moment.'],
  ECONNREFUSED: ['CONNECTION_REFUSED', 'The host refused the connection. The service may be down, or the port wrong.'],
  ECONNRESET: ['CONNECTION_LOST', 'The host closed the connection before the response was complete.'],
  EPIPE: ['CONNECTION_LOST', 'The host closed the connection before the request was complete.'],
  ERR_STREAM_PREMATURE_CLOSE: ['CONNECTION_LOST', 'The host closed the connection before the response was complete.'],
  ETIMEDOUT: ['TIMEOUT', 'The host could not be reached in time.'],
  EHOSTUNREACH: ['CONNECTION_REFUSED', 'The host cannot be reached from here.'],
  ENETUNREACH: ['CONNECTION_REFUSED', 'The network of the host cannot be reached from here.'],
  HPE_HEADER_OVERFLOW: ['TOO_LARGE', 'The headers of the response are too large.'],
};

const CERTIFICATE = /^(CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_SSL_|EPROTO$)/;

/**
 * Rewords a failure: the system's message names the address a host resolved to, which must not leave the process. The
 * reason of the deadline takes precedence, since whatever ends a request also shows up as a broken socket.
 */
export function describeFailure(error: unknown, host: string, deadline: Deadline): OutboundError {
  const reason = deadline.reason();
  if (reason !== undefined) return reason;
  if (error instanceof OutboundError) return error;
  const failure = systemFailure(error, host);
  if (failure !== undefined) return failure;
  const code = codeOf(error);
  if (code.startsWith('HPE_'))
    return new OutboundError('PROTOCOL', `The answer of the host "${host}" is not valid HTTP (${code}).`, code);
  if (/^(Z|ZSTD)_/.test(code) || code.startsWith('ERR__ERROR_FORMAT') || code.startsWith('ERR_BROTLI')) {
    return new OutboundError('PROTOCOL', `The compressed response of the host "${host}" is damaged (${code}).`, code);
  }
  return new OutboundError(
    'CONNECTION_LOST',
    `The request to the host "${host}" failed${code === '' ? '' : ` (${code})`}.`,
    code === '' ? undefined : code,
  );
}

/** Rewords a failure of the network or of TLS; undefined for anything else. */
export function systemFailure(error: unknown, host: string): OutboundError | undefined {
  const code = codeOf(error);
  const known = Object.hasOwn(NETWORK, code) ? NETWORK[code] : undefined;
  if (known !== undefined) return new OutboundError(known[0], `${known[1]} (host "${host}", ${code})`, code);
  if (!CERTIFICATE.test(code)) return undefined;
  return new OutboundError(
    'CERTIFICATE',
    `The TLS certificate of the host "${host}" was not accepted (${code}).`,
    code,
  );
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}
