import { type JsonObject, textField } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import type { MailboxServer } from '@weft/outbound';

const DEFAULT_PORT = 993;

/** The server in a credential of type imap. @throws NodeFailure if the host is missing or the port invalid */
export function imapServerOf(data: JsonObject, allowUnauthorizedCerts: boolean): MailboxServer {
  const host = (textField(data, 'host') ?? '').trim();
  if (host === '') throw new NodeFailure('The imap credential has no host.');
  const port = Number(data['port'] ?? DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new NodeFailure('The port of the imap credential must be a number from 1 to 65535.');
  return {
    host,
    port,
    secure: data['secure'] !== false,
    user: textField(data, 'user') ?? '',
    password: textField(data, 'password') ?? '',
    allowUnauthorizedCerts: allowUnauthorizedCerts || data['allowUnauthorizedCerts'] === true,
  };
}
