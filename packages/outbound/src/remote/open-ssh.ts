import { createHash, timingSafeEqual } from 'node:crypto';
import { Client, type ClientChannel, type ConnectConfig, type SFTPWrapper } from 'ssh2';
import type { OpenSocket } from '../mail/mail-sender';
import { OutboundError } from '../http/outbound-http';
import { ServerConnection } from '../sessions/server-connection';
import type { CommandResult, RemoteBounds, SshServer, SshSession } from './file-session';
import { RemoteFailed, saidBy } from './remote-failure';
import { sftpFiles } from './sftp-files';

/** The protocol adds to what it carries. */
const OVERHEAD = 2;
const WITHOUT_CODE_MS = 100;

/** Logs in over SSH and gives the session to `use`; the connection ends with that, or with the signal. */
export async function withSsh<Result>(
  openSocket: OpenSocket,
  server: SshServer,
  bounds: RemoteBounds,
  signal: AbortSignal,
  use: (session: SshSession) => Promise<Result>,
): Promise<Result> {
  const { host, port } = server;
  const { connectMs, stepMs: queryMs, maxBytes, received } = bounds;
  const connection = await ServerConnection.open(openSocket, {
    ...{ host, port, signal, peer: 'server' as const },
    bounds: { connectMs, queryMs, maxBytes: maxBytes * OVERHEAD, ...(received === undefined ? {} : { received }) },
  });
  const client = new Client();
  const identity: { refused?: RemoteFailed } = {};
  const login = new Promise<void>((resolve, reject) => {
    client.once('ready', resolve);
    // what ends the connection later reaches the step that waits
    client.on('error', (error: Error) => reject(identity.refused ?? loginFailure(error, host)));
  });
  login.catch(() => undefined);
  try {
    await connection.login(() => {
      client.connect({ ...configOf(server, connectMs, identity), sock: connection.stream });
      return login;
    });
    return await use(sessionOf(client, connection, bounds, host));
  } finally {
    client.destroy();
    connection.end();
  }
}

function configOf(server: SshServer, connectMs: number, identity: { refused?: RemoteFailed }): ConnectConfig {
  const { user, password, privateKey, passphrase, hostFingerprint } = server;
  return {
    username: user,
    ...(password === '' ? {} : { password }),
    ...(privateKey === '' ? {} : { privateKey }),
    ...(passphrase === '' ? {} : { passphrase }),
    readyTimeout: connectMs,
    tryKeyboard: false,
    agentForward: false,
    // what is compressed is not counted as what it becomes
    algorithms: { compress: ['none'] },
    hostVerifier: (key: Buffer) => {
      const shown = `SHA256:${createHash('sha256').update(key).digest('base64').replaceAll('=', '')}`;
      if (hostFingerprint === '' || isSame(shown, hostFingerprint.replaceAll('=', ''))) return true;
      identity.refused = new RemoteFailed(
        `The server shows another key than the credential states (host "${server.host}": ${shown}).`,
        'login',
      );
      return false;
    },
  };
}

function isSame(shown: string, wanted: string): boolean {
  return shown.length === wanted.length && timingSafeEqual(Buffer.from(shown), Buffer.from(wanted));
}

function loginFailure(error: Error, host: string): Error {
  const level: unknown = Reflect.get(error, 'level');
  if (level === 'client-authentication')
    return new RemoteFailed(`The server refused the login (host "${host}").`, 'login', undefined, error);
  if (level === 'protocol' || level === 'handshake')
    return new OutboundError(
      'PROTOCOL',
      `The server does not answer as an SSH server (host "${host}"${saidBy(error.message)}).`,
    );
  return error;
}

function sessionOf(client: Client, connection: ServerConnection, bounds: RemoteBounds, host: string): SshSession {
  let sftp: Promise<SFTPWrapper> | undefined;
  const files = sftpFiles(
    (work) =>
      connection.step(bounds.stepMs, 'The transfer', async () => {
        sftp ??= openSftp(client, host);
        return work(await sftp);
      }),
    bounds,
    host,
  );
  return {
    ...files,
    run: (command) => connection.step(bounds.stepMs, 'The command', () => execute(client, command, bounds, host)),
  };
}

function openSftp(client: Client, host: string): Promise<SFTPWrapper> {
  return new Promise((resolve, reject) => {
    client.sftp((error, sftp) => {
      if (error === undefined || error === null) resolve(sftp);
      else reject(new RemoteFailed(`The server offers no SFTP (host "${host}"${saidBy(error.message)}).`, 'server'));
    });
  });
}

function execute(client: Client, command: string, bounds: RemoteBounds, host: string): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    client.exec(command, (error, channel) => {
      // listened to at once: output and code may have come together with the server's consent
      if (error === undefined || error === null) output(channel, bounds).then(resolve, reject);
      else
        reject(new RemoteFailed(`The server refused the command (host "${host}"${saidBy(error.message)}).`, 'server'));
    });
  });
}

function output(channel: ClientChannel, { maxBytes }: RemoteBounds): Promise<CommandResult> {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    const collect =
      (into: Buffer[]) =>
      (chunk: Buffer): void => {
        bytes += chunk.length;
        into.push(chunk);
        if (bytes <= maxBytes) return;
        channel.close();
        reject(new RemoteFailed(`The output of the command has more than ${maxBytes} bytes.`, 'limit'));
      };
    const textOf = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString('utf8').trim();
    let ended: Pick<CommandResult, 'code' | 'signal'> | undefined;
    channel.on('data', collect(stdout));
    channel.stderr.on('data', collect(stderr));
    channel.on('exit', (code: number | null, signal?: string) => {
      ended = { code, signal: signal ?? null };
    });
    const finish = (): void =>
      resolve({ ...(ended ?? { code: null, signal: null }), stdout: textOf(stdout), stderr: textOf(stderr) });
    let open = 2;
    const onClose = (): void => {
      open -= 1;
      if (open > 0) return;
      // some servers give no code; where the connection has ended, that is told in the meantime
      if (ended === undefined) setTimeout(finish, WITHOUT_CODE_MS);
      else finish();
    };
    // each is closed when all of it has been read
    channel.once('close', onClose);
    channel.stderr.once('close', onClose);
    channel.end();
  });
}
