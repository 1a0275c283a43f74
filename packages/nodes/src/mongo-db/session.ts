import { type JsonObject, textField } from '@weft/node-catalogue';
import { type NodeContext, NodeFailure } from '@weft/engine';
import type { MongoServer, MongoSession } from '@weft/outbound';
import { pemField } from '../shared/credentials/pem-field';
import { boundsOf, openedSession } from '../shared/sql/sql-failure';

const CONNECT_MS = 30_000;
/** User and password before the hosts of a connection string. */
const LOGIN = /^(mongodb(?:\+srv)?:\/\/)([^/?#]*)@/i;

/** The server in a credential of type mongoDb. @throws NodeFailure for invalid fields */
export function mongoServerOf(data: JsonObject): MongoServer {
  return {
    url: data['configurationType'] === 'connectionString' ? stringOf(data) : urlOf(data),
    database: fieldOf(data, 'database'),
    ...(data['tls'] === true ? { tls: tlsOf(data) } : {}),
  };
}

function stringOf(data: JsonObject): string {
  const url = fieldOf(data, 'connectionString');
  if (url === '') throw new NodeFailure('The mongoDb credential has no connection string.');
  return url;
}

/** Without a port, a DNS record lists the servers. */
function urlOf(data: JsonObject): string {
  const host = fieldOf(data, 'host');
  if (!/^[\w.:[\]-]+$/.test(host)) throw new NodeFailure('The mongoDb credential has no host.');
  const user = fieldOf(data, 'user');
  const login = user === '' ? '' : `${escaped(user)}:${escaped(textField(data, 'password') ?? '')}@`;
  const port = data['port'] === undefined ? 27_017 : Number(data['port']);
  if (port === 0) return `mongodb+srv://${login}${host}`;
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new NodeFailure('The port of the mongoDb credential must be a number from 1 to 65535, or empty.');
  return `mongodb://${login}${host}:${port}`;
}

/** Escapes a value for a connection string. Escaped characters stay, since credentials often contain them. */
function escaped(text: string): string {
  return /^(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})*$/i.test(text) ? text : encodeURIComponent(text);
}

function fieldOf(data: JsonObject, name: string): string {
  return (textField(data, name) ?? '').trim();
}

function tlsOf(data: JsonObject): NonNullable<MongoServer['tls']> {
  const [ca, cert, key] = ['ca', 'cert', 'key'].map((name) => pemField(data, name));
  const passphrase = textField(data, 'passphrase') ?? '';
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(passphrase === '' ? {} : { passphrase }),
  };
}

/**
 * Opens a session with the server of the node's credential.
 * @param change selects another database of the server, for example
 * @throws NodeFailure if that fails
 */
export async function openMongoSession(
  context: NodeContext,
  change: (server: MongoServer) => MongoServer = (server) => server,
): Promise<MongoSession> {
  const server = change(mongoServerOf(await context.credential('mongoDb')));
  hideLogin(context, server.url);
  return openedSession(context.ports.databases.mongo(server, boundsOf(CONNECT_MS), context.signal));
}

/** Hides the secrets that `loginSecretsOf` finds. */
function hideLogin(context: NodeContext, url: string): void {
  for (const secret of loginSecretsOf(url)) context.hide(secret);
}

/** A connection string is secret as a whole; servers and the driver may repeat only its password. */
export function loginSecretsOf(url: string): readonly string[] {
  const password = LOGIN.exec(url)?.[2]?.split(':').slice(1).join(':') ?? '';
  if (password === '') return [];
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    // Not escaped: hidden unchanged.
    return [password];
  }
}
