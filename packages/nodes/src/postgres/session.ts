import { type JsonObject, textField } from '@weft/node-catalogue';
import { type NodeContext, NodeFailure } from '@weft/engine';
import type { DatabaseTls, PostgresOptions, SqlServer, SqlSession } from '@weft/outbound';
import { serverAddress } from '../shared/sql/server-address';
import { boundsOf, databaseFailure } from '../shared/sql/sql-failure';

const DEFAULT_PORT = 5432;

/** The server that a credential of type postgres names. @throws NodeFailure for fields that are not valid */
export function postgresServerOf(data: JsonObject): SqlServer {
  if (data['sshTunnel'] === true)
    throw new NodeFailure('The postgres credential asks for an SSH tunnel, which is not supported', {
      description: 'Name a host that can be reached directly.',
    });
  const tls = tlsOf(data);
  return {
    ...serverAddress('postgres', data, DEFAULT_PORT),
    user: textField(data, 'user') || 'postgres',
    password: textField(data, 'password') ?? '',
    database: textField(data, 'database') ?? '',
    ...(tls === undefined ? {} : { tls }),
  };
}

/** As the credential's fields mean it: certificates that cannot be verified are accepted only within TLS. */
function tlsOf(data: JsonObject): DatabaseTls | undefined {
  if (data['allowUnauthorizedCerts'] === true) return { rejectUnauthorized: false };
  const mode = textField(data, 'ssl') || 'disable';
  return mode === 'disable' ? undefined : { rejectUnauthorized: true };
}

/** Opens a session with the server of the node's credential. @throws NodeFailure if that fails */
export async function openPostgresSession(
  context: NodeContext,
  options: PostgresOptions,
  connectMs: number,
): Promise<SqlSession> {
  const server = postgresServerOf(await context.credential('postgres'));
  try {
    return await context.ports.databases.postgres(server, options, boundsOf(connectMs), context.signal);
  } catch (thrown) {
    throw databaseFailure(thrown);
  }
}
