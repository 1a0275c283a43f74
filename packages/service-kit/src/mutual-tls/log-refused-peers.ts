import type { EventEmitter } from 'node:events';
import { createFaultLog, type FaultLog, type Logger } from '../logging';

const FOREIGN = 'its certificate is of an authority that is not trusted here';
const PLAIN = 'it does not speak TLS';

/** Why a peer was refused, by the code of the certificate check or of the handshake. */
const REASONS: Readonly<Record<string, string>> = {
  ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE: 'it shows no certificate',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: FOREIGN,
  UNABLE_TO_GET_ISSUER_CERT: FOREIGN,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: FOREIGN,
  SELF_SIGNED_CERT_IN_CHAIN: FOREIGN,
  DEPTH_ZERO_SELF_SIGNED_CERT: FOREIGN,
  INVALID_PURPOSE: 'its certificate is not one for clients',
  ERR_SSL_WRONG_VERSION_NUMBER: PLAIN,
  ERR_SSL_HTTP_REQUEST: PLAIN,
  ERR_TLS_HANDSHAKE_TIMEOUT: 'it does not finish the handshake',
  ECONNRESET: 'it ended the handshake; perhaps it does not trust our certificate',
};

/** Reads a member that the types do not declare. */
const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/**
 * Logs which peers a server over TLS refuses, and why: the peer itself only sees a closed connection. Each reason is
 * logged at once and then once a minute while it lasts, because anyone can cause it.
 * @param server of HTTP/2 over TLS
 */
export const logRefusedPeers = (server: EventEmitter, logger: Logger): void => {
  const faults = new Map<string, FaultLog>();
  const faultsOf = (code: string): FaultLog => {
    // A closed list, so that peers cannot make it grow.
    const known = code in REASONS ? code : 'other';
    const found = faults.get(known) ?? createFaultLog(logger, 'a peer was refused by TLS');
    faults.set(known, found);
    return found;
  };
  // The socket caches its address on first use, also after it is closed.
  server.on('connection', (socket: unknown) => void memberOf(socket, 'remoteAddress'));
  server.on('tlsClientError', (error: unknown, socket: unknown) => {
    const code = textOf(memberOf(socket, 'authorizationError')) ?? textOf(memberOf(error, 'code')) ?? 'unknown';
    const address =
      textOf(memberOf(socket, 'remoteAddress')) ?? textOf(memberOf(memberOf(socket, '_parent'), 'remoteAddress'));
    faultsOf(code).failed({ address, reason: REASONS[code] ?? 'the handshake failed', code });
  });
};
