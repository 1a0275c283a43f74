import { readFileSync } from 'node:fs';
import {
  credsAuthenticator,
  nkeyAuthenticator,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
  type Authenticator,
  type ConnectionOptions,
} from 'nats';
import { messageOf } from '../errors';

/** Address and credentials of NATS. An empty string counts as absent. */
export interface NatsSettings {
  /** Servers, separated by commas, all with `nats://` or all with `tls://`, which requires TLS. */
  readonly natsUrl: string;
  readonly natsUser?: string;
  readonly natsPassword?: string;
  readonly natsToken?: string;
  /** Path of a file with a user's JWT and its seed, as `nsc` writes it. */
  readonly natsCredsFile?: string;
  /** Path of a file with the seed of a user's nkey. */
  readonly natsNkeyFile?: string;
  /** Path of the certificates (PEM) of the authority that signed the server's; absent: those that Node trusts. */
  readonly natsCaFile?: string;
  /** Path of the client certificate (PEM). */
  readonly natsCertFile?: string;
  /** Path of the key of that certificate (PEM). */
  readonly natsKeyFile?: string;
}

const readServers = (natsUrl: string): { readonly servers: string[]; readonly isTls: boolean } => {
  const servers = natsUrl.split(',').map((server) => server.trim());
  for (const server of servers) {
    if (!/^(nats|tls):\/\/[^\s/@]+$/.test(server))
      throw new Error(
        'NATS_URL must name servers as nats://host:port or tls://host:port, separated by commas. ' +
          'Set NATS_USER and NATS_PASSWORD instead of a user in the address.',
      );
  }
  const secured = servers.filter((server) => server.startsWith('tls://'));
  if (secured.length > 0 && secured.length < servers.length)
    throw new Error('NATS_URL must not mix nats:// and tls://: the servers of a cluster are all secured, or none is.');
  return { servers, isTls: secured.length > 0 };
};

/**
 * Re-reads the file for each connection, because it may have been replaced. If it is unusable, for example because it
 * is being written, the last usable content stays in force.
 * @throws Error that names the variable, if the first read fails
 */
const rereading = (variable: string, file: string, make: (content: Uint8Array) => Authenticator): Authenticator => {
  const read = (): Authenticator => {
    const made = make(new Uint8Array(readFileSync(file)));
    // Signs something, because seeds are only decoded on use.
    made('nonce');
    return made;
  };
  const readFirst = (): Authenticator => {
    try {
      return read();
    } catch (error) {
      throw new Error(`${variable}: ${JSON.stringify(file)} cannot be used (${messageOf(error)}).`);
    }
  };
  let current = readFirst();
  return (nonce) => {
    try {
      current = read();
    } catch {
      // The last content is still valid, or the server will refuse it.
    }
    return current(nonce);
  };
};

const withoutLineEnd = (seed: Uint8Array): Uint8Array =>
  new TextEncoder().encode(new TextDecoder().decode(seed).trim());

const readAuthenticator = (settings: NatsSettings): Authenticator | undefined => {
  const { natsUser = '', natsPassword = '', natsToken = '', natsCredsFile = '', natsNkeyFile = '' } = settings;
  if ((natsUser === '') !== (natsPassword === '')) throw new Error('NATS_USER and NATS_PASSWORD must be set together.');
  const given = [natsUser, natsToken, natsCredsFile, natsNkeyFile].filter((value) => value !== '');
  if (given.length > 1)
    throw new Error(
      'NATS accepts one way of authentication: set NATS_USER and NATS_PASSWORD, NATS_TOKEN, NATS_CREDS_FILE or ' +
        'NATS_NKEY_FILE.',
    );
  // Called for each connection: values from files may have changed.
  if (natsUser !== '')
    return usernamePasswordAuthenticator(
      () => settings.natsUser ?? '',
      () => settings.natsPassword ?? '',
    );
  if (natsToken !== '') return tokenAuthenticator(() => settings.natsToken ?? '');
  if (natsCredsFile !== '') return rereading('NATS_CREDS_FILE', natsCredsFile, credsAuthenticator);
  if (natsNkeyFile !== '')
    return rereading('NATS_NKEY_FILE', natsNkeyFile, (seed) => nkeyAuthenticator(withoutLineEnd(seed)));
  return undefined;
};

const checkReadable = (variable: string, file: string): void => {
  try {
    readFileSync(file);
  } catch (error) {
    throw new Error(`${variable}: ${JSON.stringify(file)} cannot be read (${messageOf(error)}).`);
  }
};

/** TLS options; the client reads the files for each connection. Undefined: TLS is not required. */
const readTls = (settings: NatsSettings, isTls: boolean): ConnectionOptions['tls'] | undefined => {
  const { natsCaFile = '', natsCertFile = '', natsKeyFile = '' } = settings;
  if ((natsCertFile === '') !== (natsKeyFile === ''))
    throw new Error('NATS_CERT_FILE and NATS_KEY_FILE must be set together.');
  const files = [
    ['NATS_CA_FILE', natsCaFile],
    ['NATS_CERT_FILE', natsCertFile],
    ['NATS_KEY_FILE', natsKeyFile],
  ] as const;
  const given = files.filter(([, file]) => file !== '');
  for (const [variable, file] of given) checkReadable(variable, file);
  if (given.length > 0 && !isTls)
    throw new Error(`${given.map(([variable]) => variable).join(' and ')}: NATS_URL must start with tls://.`);
  if (!isTls) return undefined;
  return {
    ...(natsCaFile === '' ? {} : { caFile: natsCaFile }),
    ...(natsCertFile === '' ? {} : { certFile: natsCertFile, keyFile: natsKeyFile }),
  };
};

export type NatsOptions = Pick<ConnectionOptions, 'servers' | 'authenticator' | 'tls'>;

/** The client's options for these settings. @throws Error that says what to set */
export const connectionOptions = (settings: NatsSettings): NatsOptions => {
  const { servers, isTls } = readServers(settings.natsUrl);
  const authenticator = readAuthenticator(settings);
  const tls = readTls(settings, isTls);
  return {
    servers,
    ...(authenticator === undefined ? {} : { authenticator }),
    ...(tls === undefined ? {} : { tls }),
  };
};
