import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nkeys } from 'nats';
import { findNats, findPlaces, freePort, Ledger, makeCertificate, NatsServer } from '@weft/local-stack';
import type { NatsSettings } from '@weft/service-kit/nats';
import type { SceneEnvironment } from '../scene';

/** Key of a NATS user. */
export interface NatsKey {
  readonly publicKey: string;
  readonly seed: string;
}

/** A connection: the name that the client gives it, and the key under which it was let in. */
export interface NatsClient {
  readonly name: string;
  readonly publicKey: string;
}

/** An authority and its certificates: the path of the authority's own, and of the server's with its key. */
export interface Authority {
  readonly authorityFile: string;
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** A NATS server with TLS that knows users by their nkeys, and the files of its clients. */
export interface SecuredNats {
  readonly server: NatsServer;
  /** The authority that signed its first certificate. */
  readonly firstAuthority: Authority;
  /** Variables by which services connect. */
  readonly environment: SceneEnvironment;
  /** Settings of a client with this key that trusts this authority. */
  readonly settingsOf: (key: NatsKey, authority: Authority) => NatsSettings;
  /** Sets the keys that the server accepts once it has read its files again. */
  readonly putUsers: (...keys: readonly NatsKey[]) => void;
  /** The key with which services connect from now on. */
  readonly putSeed: (key: NatsKey) => void;
  /** The server's certificate, as soon as it has read its files again. */
  readonly putCertificate: (authority: Authority) => void;
  /** The authorities that services trust from now on. */
  readonly putTrusted: (...authorities: readonly Authority[]) => void;
  readonly makeAuthority: (name: string) => Authority;
  /** Makes the server read its files again, without closing connections that it would still accept. */
  readonly reload: () => void;
  /** All connections that the server has. */
  readonly connections: () => Promise<readonly NatsClient[]>;
  readonly stop: () => Promise<void>;
}

/** A new key. */
export const makeNatsKey = (): NatsKey => {
  const user = nkeys.createUser();
  return { publicKey: user.getPublicKey(), seed: new TextDecoder().decode(user.getSeed()) };
};

/** Connections, as the server's monitoring reports them. */
interface Connections {
  readonly connections: readonly { readonly name?: string; readonly authorized_user?: string }[];
}

/** Starts the server with one key and one authority. */
export const startSecuredNats = async (key: NatsKey): Promise<SecuredNats> => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-nats-'));
  const pathOf = (name: string): string => join(folder, name);
  // A reader finds the former content or the new one, never a part.
  const put = (name: string, text: string): string => {
    writeFileSync(pathOf(`${name}.draft`), text, { mode: 0o600 });
    renameSync(pathOf(`${name}.draft`), pathOf(name));
    return pathOf(name);
  };
  const makeAuthority = (name: string): Authority => makeCertificate(mkdtempSync(pathOf(name)), ['localhost']);
  const putUsers = (...keys: readonly NatsKey[]): void =>
    void put('users.conf', `users: [${keys.map(({ publicKey }) => `{ nkey: "${publicKey}" }`).join(', ')}]\n`);
  const putSeed = ({ seed }: NatsKey): void => void put('user.nk', `${seed}\n`);
  const putCertificate = ({ certificateFile, keyFile }: Authority): void => {
    put('server.key', readFileSync(keyFile, 'utf8'));
    put('server.pem', readFileSync(certificateFile, 'utf8'));
  };
  const putTrusted = (...authorities: readonly Authority[]): void =>
    void put('trusted.pem', authorities.map(({ authorityFile }) => readFileSync(authorityFile, 'utf8')).join(''));
  const [port, monitor] = [await freePort(), await freePort()];
  try {
    const first = makeAuthority('first-');
    putUsers(key);
    putSeed(key);
    putCertificate(first);
    putTrusted(first);
    const configFile = put(
      'nats.conf',
      [
        `http: "127.0.0.1:${monitor}"`,
        `tls { cert_file: "${pathOf('server.pem')}", key_file: "${pathOf('server.key')}", timeout: 5 }`,
        'authorization { include users.conf }',
      ].join('\n'),
    );
    const server = await NatsServer.start({
      program: await findNats(findPlaces(process.env).cache, () => undefined),
      port,
      data: pathOf('data'),
      ledger: new Ledger(pathOf('run')),
      configFile,
    });
    const natsUrl = `tls://localhost:${port}`;
    const variables = {
      NATS_URL: natsUrl,
      NATS_NKEY_FILE: pathOf('user.nk'),
      NATS_CA_FILE: pathOf('trusted.pem'),
    };
    return {
      server,
      firstAuthority: first,
      environment: { executions: variables, runner: variables },
      settingsOf: ({ publicKey, seed }, { authorityFile }) => ({
        natsUrl,
        natsNkeyFile: put(`${publicKey}.nk`, seed),
        natsCaFile: authorityFile,
      }),
      putUsers,
      putSeed,
      putCertificate,
      putTrusted,
      makeAuthority,
      reload: () => server.process.kill('SIGHUP'),
      connections: async () => {
        const answer = await fetch(`http://127.0.0.1:${monitor}/connz?auth=1&limit=1000`);
        const { connections }: Connections = JSON.parse(await answer.text());
        return connections.map(({ name = '', authorized_user: publicKey = '' }) => ({ name, publicKey }));
      },
      stop: async () => {
        await server.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
};
