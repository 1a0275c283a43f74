import { type JsonObject, textField } from '@weft/node-catalogue';
import type { NodeContext } from '@weft/engine';
import type { DatabaseTls, PostgresOptions, SqlServer, SqlSession } from '@weft/outbound';
import { boundsOf, openedSession } from '../shared/sql/sql-failure';
import { sqlLogin } from '../shared/sql/sql-login';

const DEFAULT_PORT = 5432;

/** The server in a credential of type postgres. @throws NodeFailure for invalid fields */
export function postgresServerOf(data: JsonObject): SqlServer {
  const login = sqlLogin('postgres', data, DEFAULT_PORT);
  const tls = tlsOf(data);
  return {
    ...login,
    user: login.user || 'postgres',
    ...(tls === undefined ? {} : { tls }),
  };
}

/** TLS as the credential configures it: certificates that cannot be verified are accepted only within TLS. */
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
  return openedSession(context.ports.databases.postgres(server, options, boundsOf(connectMs), context.signal));
}
