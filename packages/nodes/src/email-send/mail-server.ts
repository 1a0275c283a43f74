import type { JsonObject } from '@weft/node-catalogue';
import { textField } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import type { MailServer } from '@weft/outbound';

const DEFAULT_PORT = 465;

/**
 * The server in a credential of type smtp. Missing fields have n8n's defaults: port 465 with TLS from the first byte.
 * @throws NodeFailure if the host is missing or the port invalid
 */
export function mailServerOf(data: JsonObject, allowUnauthorizedCerts: boolean): MailServer {
  const host = (textField(data, 'host') ?? '').trim();
  if (host === '') throw new NodeFailure('The smtp credential has no host.');
  const port = Number(data['port'] ?? DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new NodeFailure('The port of the smtp credential must be a number from 1 to 65535.');
  const [user, password] = [textField(data, 'user') ?? '', textField(data, 'password') ?? ''];
  const clientName = (textField(data, 'hostName') ?? '').trim();
  const secure = data['secure'] !== false;
  return {
    host,
    port,
    secure,
    allowUnauthorizedCerts,
    ignoreStartTls: !secure && data['disableStartTls'] === true,
    ...(user === '' && password === '' ? {} : { login: { user, password } }),
    ...(clientName === '' ? {} : { clientName }),
  };
}
