import { type JsonObject, textField } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import type { SqlServer } from '@weft/outbound';
import { serverAddress } from './server-address';

/**
 * The common fields of credentials for SQL servers: server, login and database.
 * @throws NodeFailure for invalid fields, and for a tunnel
 */
export function sqlLogin(type: string, data: JsonObject, defaultPort: number): Omit<SqlServer, 'tls'> {
  if (data['sshTunnel'] === true)
    throw new NodeFailure(`The ${type} credential requires an SSH tunnel, which is not supported`, {
      description: 'Set a host that can be reached directly.',
    });
  return {
    ...serverAddress(type, data, defaultPort),
    user: textField(data, 'user') ?? '',
    password: textField(data, 'password') ?? '',
    database: textField(data, 'database') ?? '',
  };
}
