import { ConnectionString } from 'mongodb-connection-string-url';
import type { MongoClientOptions } from 'mongodb';
import { DatabaseFailed, type MongoServer, type QueryBounds } from './databases';
import type { SocksRelay } from './socks-relay';

/**
 * Options of a connection string that are applied. Options that read files or the environment of this machine, dial
 * other hosts, or let the server send more than is counted are excluded.
 */
const FOLLOWED = [
  ...['appName', 'authMechanism', 'authSource', 'directConnection', 'loadBalanced', 'replicaSet', 'retryReads'],
  ...[
    'retryWrites',
    'readConcernLevel',
    'readPreference',
    'readPreferenceTags',
    'maxStalenessSeconds',
    'localThresholdMS',
  ],
  ...['w', 'wtimeoutMS', 'journal', 'ssl', 'tls', 'tlsInsecure', 'tlsAllowInvalidCertificates'],
  ...['tlsAllowInvalidHostnames', 'srvServiceName', 'srvMaxHosts'],
];
/** Options without effect: sessions have separate limits. */
const WITHOUT_EFFECT = [
  ...['compressors', 'zlibCompressionLevel', 'connectTimeoutMS', 'heartbeatFrequencyMS', 'maxConnecting'],
  ...['maxIdleTimeMS', 'maxPoolSize', 'minPoolSize', 'serverMonitoringMode', 'serverSelectionTimeoutMS'],
  ...['socketTimeoutMS', 'timeoutMS', 'waitQueueTimeoutMS', 'uuidRepresentation'],
];
const MECHANISMS = ['DEFAULT', 'SCRAM-SHA-1', 'SCRAM-SHA-256', 'PLAIN', 'MONGODB-X509'];
const has = (names: readonly string[], name: string): boolean =>
  names.some((one) => one.toLowerCase() === name.toLowerCase());

/** A connection string that was checked. */
export interface MongoAddress {
  readonly url: string;
  /** For messages. */
  readonly host: string;
  /** Number of servers in the string; undefined if a DNS record lists them. */
  readonly servers: number | undefined;
}

/** Reads a connection string. @throws DatabaseFailed if it is invalid or asks for an unsupported option */
export function checkedAddress(text: string): MongoAddress {
  const url = parsed(text);
  for (const name of [...url.searchParams.keys()])
    if (has(WITHOUT_EFFECT, name)) url.searchParams.delete(name);
    else if (!has(FOLLOWED, name)) throw refused(`The option "${name}" of the connection string is not supported.`);
  const mechanism = url.searchParams.get('authMechanism');
  if (mechanism !== null && !has(MECHANISMS, mechanism))
    throw refused(
      `The authentication mechanism "${mechanism}" is not supported. Supported: ${MECHANISMS.slice(1).join(', ')}.`,
    );
  if (url.hosts.some((host) => /\.sock$|%2f|\//i.test(host)))
    throw refused('The connection string names a socket file. Name a host that can be reached over the network.');
  return {
    url: url.toString(),
    host: (url.hosts[0] ?? '').replace(/:\d+$/, ''),
    servers: url.isSRV ? undefined : url.hosts.length,
  };
}

/** Options of the driver for one session, all of whose connections go through a relay. */
export function optionsFor(relay: SocksRelay, { tls }: MongoServer, { connectMs }: QueryBounds): MongoClientOptions {
  return {
    proxyHost: '127.0.0.1',
    proxyPort: relay.port,
    proxyUsername: relay.user,
    proxyPassword: relay.password,
    ...(tls === undefined ? {} : { ...tls, tls: true }),
    // compressed messages are counted before they are decompressed
    compressors: ['none'],
    maxPoolSize: 1,
    maxConnecting: 1,
    connectTimeoutMS: connectMs,
    serverSelectionTimeoutMS: connectMs,
    waitQueueTimeoutMS: connectMs,
    serverMonitoringMode: 'poll',
  };
}

function parsed(text: string): ConnectionString {
  try {
    return new ConnectionString(text);
  } catch (error) {
    throw refused(`The connection string cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function refused(message: string): DatabaseFailed {
  return new DatabaseFailed(message, 'CONNECTION_STRING');
}
