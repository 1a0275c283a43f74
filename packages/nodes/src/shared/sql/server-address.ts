import { type JsonObject, textField } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';

/** Host and port in a credential. @throws NodeFailure if the host is missing or the port invalid */
export function serverAddress(
  type: string,
  data: JsonObject,
  defaultPort: number,
): { readonly host: string; readonly port: number } {
  const host = (textField(data, 'host') ?? '').trim();
  if (host === '') throw new NodeFailure(`The ${type} credential has no host.`);
  const port = Number(data['port'] ?? defaultPort);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new NodeFailure(`The port of the ${type} credential must be a number from 1 to 65535.`);
  return { host, port };
}
