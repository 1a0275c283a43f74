import { type JsonObject, textField } from '@weft/node-catalogue';
import type { NodeContext } from '@weft/engine';
import type { DatabaseTls, MysqlOptions, SqlServer, SqlSession } from '@weft/outbound';
import { boundsOf, openedSession } from '../shared/sql/sql-failure';
import { sqlLogin } from '../shared/sql/sql-login';

const DEFAULT_PORT = 3306;
const CONNECT_MS = 10_000;

/** The server in a credential of type mySql. @throws NodeFailure for invalid fields */
export function mysqlServerOf(data: JsonObject): SqlServer {
  return {
    ...sqlLogin('mySql', data, DEFAULT_PORT),
    ...(data['ssl'] === true ? { tls: tlsOf(data) } : {}),
  };
}

/** With a CA certificate in the credential, the server's certificate is often for another host. */
function tlsOf(data: JsonObject): DatabaseTls {
  const [ca, cert, key] = ['caCertificate', 'clientCertificate', 'clientPrivateKey'].map(
    (name) => textField(data, name) ?? '',
  );
  return {
    rejectUnauthorized: true,
    ...(ca ? { ca, checkHost: false } : {}),
    ...(cert ? { cert } : {}),
    ...(key ? { key } : {}),
  };
}

/** Opens a session with the server of the node's credential. @throws NodeFailure if that fails */
export async function openMysqlSession(context: NodeContext, options: MysqlOptions): Promise<SqlSession> {
  const data = await context.credential('mySql');
  const connectMs = Number(data['connectTimeout'] ?? CONNECT_MS);
  const bounds = boundsOf(connectMs > 0 ? connectMs : CONNECT_MS);
  return openedSession(context.ports.databases.mysql(mysqlServerOf(data), options, bounds, context.signal));
}
