import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { Readable, Writable } from 'node:stream';
import { Client, FileType, type FileInfo, FTPError, type FTPContext, type FTPResponse } from 'basic-ftp';
import { startDeadline } from '../http/deadline';
import { describeFailure } from '../http/describe-failure';
import type { OpenSocket } from '../mail/mail-sender';
import { BoundedSession } from '../sessions/bounded-session';
import { ByteMeter } from '../sessions/byte-meter';
import type { FileRights, FtpServer, RemoteBounds, RemoteEntry, RemoteFiles } from './file-session';
import { ftpDate } from './ftp-date';
import { EXTENDED, portOf, refusing } from './ftp-replies';
import { RemoteFailed } from './remote-failure';
import { checkPath, foldersOf } from './remote-paths';
import { walkFolders } from './walk-folders';

/** Limit in bytes of the replies in one step, and of one listing. */
const MAX_REPLY_BYTES = 1024 * 1024;
const MAX_LIST_BYTES = 8 * 1024 * 1024;

/** Logs in over FTP and gives the files to `use`; the connection ends with that, or with the signal. */
export async function withFtp<Result>(
  openSocket: OpenSocket,
  server: FtpServer,
  bounds: RemoteBounds,
  signal: AbortSignal,
  use: (files: RemoteFiles) => Promise<Result>,
): Promise<Result> {
  const { host, user, password } = server;
  const control = await openControl(openSocket, server, bounds, signal);
  const limits = { connectMs: bounds.connectMs, queryMs: bounds.stepMs, maxBytes: MAX_REPLY_BYTES };
  const wire = new ControlWire(control, new ByteMeter(limits));
  const session = new BoundedSession({ host, peer: 'server', bounds: limits, signal }, wire);
  const client = new Client(bounds.silenceMs, { allowSeparateTransferHost: false, maxListingBytes: MAX_LIST_BYTES });
  wire.once('close', () => client.close());
  client.availableListCommands = ['LIST'];
  client.prepareTransfer = passiveBy(openSocket, server, bounds, signal);
  try {
    await session.login(async () => {
      client.ftp.socket = control;
      await welcome(client.ftp);
      await refusing(server, bounds, 'login', async () => {
        await client.login(user === '' ? 'anonymous' : user, password);
        await client.send('TYPE I');
      });
    });
    const step = <Done>(work: () => Promise<Done>): Promise<Done> =>
      session.step(bounds.stepMs, 'The transfer', () => refusing(server, bounds, 'server', work));
    return await use(filesOf(client, step, bounds));
  } finally {
    client.close();
    session.end();
  }
}

/** The control connection, whose replies are counted. */
class ControlWire extends EventEmitter {
  constructor(
    private readonly socket: Socket,
    private readonly meter: ByteMeter,
  ) {
    super();
    socket.on('data', (chunk: Buffer) => {
      const refused = meter.take(chunk.length);
      if (refused === undefined) return;
      this.emit('error', new RemoteFailed('The server answers with more than can be read.', 'limit'));
      this.destroy();
    });
    socket.on('error', (error) => this.emit('error', error));
    socket.once('close', () => this.emit('close'));
  }

  allow(): void {
    this.meter.reset();
  }

  destroy(): void {
    this.socket.destroy();
  }
}

async function openControl(
  openSocket: OpenSocket,
  { host, port }: FtpServer,
  { connectMs }: RemoteBounds,
  signal: AbortSignal,
): Promise<Socket> {
  const deadline = startDeadline(connectMs, signal);
  try {
    return await openSocket(host, port, deadline.signal);
  } catch (error) {
    throw describeFailure(error, host, deadline);
  } finally {
    deadline.end();
  }
}

function welcome(ftp: FTPContext): Promise<void> {
  return ftp.handle(undefined, (response, task) => {
    if (response instanceof Error) task.reject(response);
    else if (response.code >= 200 && response.code < 300) task.resolve(undefined);
    else task.reject(new FTPError(response));
  });
}

/**
 * Opens data connections to ports of the host of the control connection, by the same rules. The address in the server's
 * reply is ignored: it may belong to another host, and is often wrong.
 */
function passiveBy(
  openSocket: OpenSocket,
  { host }: FtpServer,
  { connectMs }: RemoteBounds,
  signal: AbortSignal,
): (ftp: FTPContext) => Promise<FTPResponse> {
  let isExtended = true;
  return async (ftp) => {
    const [response, port] = await portOf(ftp, isExtended);
    isExtended = response.code === EXTENDED;
    const deadline = startDeadline(connectMs, signal);
    try {
      const socket = await openSocket(host, port, deadline.signal);
      const before = endListeners(socket.on('error', () => undefined));
      ftp.dataSocket = socket;
      // A server that refuses a transfer resets this connection before its reply is read, and the library
      // would give up. Once a transfer has begun, its own handlers see the failure.
      for (const [event, listener] of endListeners(socket))
        if (!before.some(([, known]) => known === listener)) Reflect.apply(socket.off, socket, [event, listener]);
      return response;
    } catch (error) {
      throw describeFailure(error, host, deadline);
    } finally {
      deadline.end();
    }
  };
}

type Listener = ReturnType<Socket['listeners']>[number];

function endListeners(socket: Socket): (readonly [string, Listener])[] {
  return ['error', 'close'].flatMap((event) =>
    socket.listeners(event).map((listener): readonly [string, Listener] => [event, listener]),
  );
}

type Step = <Done>(work: () => Promise<Done>) => Promise<Done>;

function filesOf(client: Client, step: Step, bounds: RemoteBounds): RemoteFiles {
  const { maxEntries } = bounds;
  const list = async (path: string): Promise<readonly RemoteEntry[]> => {
    const entries = (await client.list(path)).map(entryOf).filter(({ name }) => name !== '.' && name !== '..');
    if (entries.length <= maxEntries) return entries;
    throw new RemoteFailed(`The folder has more than ${maxEntries} entries.`, 'limit');
  };
  const on = <Done>(path: string, work: (path: string) => Promise<Done>): Promise<Done> =>
    step(async () => work(checkPath(path)));
  return {
    list: (path) => on(path, list),
    read: (path) => on(path, (checked) => read(client, checked, bounds)),
    write: (path, content) =>
      on(path, async (checked) => {
        await client.uploadFrom(Readable.from([Buffer.from(content)]), checked);
      }),
    remove: (path) => on(path, async (checked) => void (await client.remove(checked))),
    removeFolder: (path, withContent) =>
      on(path, async (checked) => {
        if (withContent)
          for (const { path: inner, entry } of (await walkFolders(list, checked, maxEntries)).toReversed())
            await client.send(`${entry.type === 'd' ? 'RMD' : 'DELE'} ${checkPath(inner)}`);
        await client.send(`RMD ${checked}`);
      }),
    rename: (from, to) => on(from, async (checked) => void (await client.rename(checked, checkPath(to)))),
    makeFolders: (path) =>
      on(path, async (checked) => {
        for (const folder of foldersOf(checked)) await makeFolder(client, folder);
      }),
  };
}

/** Servers refuse to create a folder that exists without a distinct reply. */
async function makeFolder(client: Client, folder: string): Promise<void> {
  try {
    await client.send(`MKD ${folder}`);
  } catch (error) {
    if (!(error instanceof FTPError) || error.code < 500) throw error;
  }
}

async function read(client: Client, path: string, { maxBytes, received }: RemoteBounds): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const refusalFor = (chunk: Buffer): Error | undefined => {
    bytes += chunk.length;
    if (bytes > maxBytes) return new RemoteFailed(`The file has more than ${maxBytes} bytes.`, 'limit');
    return received?.(chunk.length);
  };
  const into = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      const refused = refusalFor(chunk);
      if (refused === undefined) chunks.push(chunk);
      done(refused);
    },
  });
  await client.downloadTo(into, path);
  return Buffer.concat(chunks);
}

function entryOf(info: FileInfo): RemoteEntry {
  return {
    name: info.name,
    type: info.type === FileType.Directory ? 'd' : info.type === FileType.SymbolicLink ? 'l' : '-',
    bytes: info.size,
    modifiedAt: info.modifiedAt ?? ftpDate(info.rawModifiedAt, new Date()),
    rights: rightsOf(info),
    owner: info.user ?? '',
    group: info.group ?? '',
  };
}

function rightsOf({ permissions }: FileInfo): FileRights {
  const [user = '', group = '', other = ''] = [permissions?.user, permissions?.group, permissions?.world].map((bits) =>
    ['r', 'w', 'x'].filter((_, bit) => ((bits ?? 0) & (4 >> bit)) !== 0).join(''),
  );
  return { user, group, other };
}
