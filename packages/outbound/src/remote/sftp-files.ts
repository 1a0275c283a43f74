import type { FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2';
import type { FileRights, RemoteBounds, RemoteEntry, RemoteFiles } from './file-session';
import { RemoteFailed, saidBy } from './remote-failure';
import { checkPath, foldersOf } from './remote-paths';
import { walkFolders } from './walk-folders';

const CHUNK = 32 * 1024;
const READS_AT_A_TIME = 8;
/** Codes of SSH_FXP_STATUS, draft-ietf-secsh-filexfer-02. */
const END_OF_FILE = 1;
const NO_SUCH_FILE = 2;

type Step = <Result>(work: (sftp: SFTPWrapper) => Promise<Result>) => Promise<Result>;

/** Files over SFTP. @param step does one step within its bounds */
export function sftpFiles(step: Step, bounds: RemoteBounds, host: string): RemoteFiles {
  const named = async <Result>(path: string, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw refusalOf(error, path, host);
    }
  };
  const on = <Result>(path: string, work: (sftp: SFTPWrapper, path: string) => Promise<Result>): Promise<Result> =>
    step((sftp) => named(path, () => work(sftp, checkPath(path))));
  return {
    list: (path) => on(path, (sftp, checked) => list(sftp, checked, bounds.maxEntries)),
    read: (path) => on(path, (sftp, checked) => read(sftp, checked, bounds.maxBytes)),
    write: (path, content) =>
      on(path, (sftp, checked) => done((settle) => sftp.writeFile(checked, Buffer.from(content), settle))),
    remove: (path) => on(path, (sftp, checked) => done((settle) => sftp.unlink(checked, settle))),
    removeFolder: (path, withContent) =>
      on(path, (sftp, checked) => removeFolder(sftp, checked, withContent, bounds.maxEntries)),
    rename: (from, to) => on(from, (sftp, checked) => done((settle) => sftp.rename(checked, checkPath(to), settle))),
    makeFolders: (path) => on(path, makeFolders),
  };
}

/** Calls a method of the library that gives a value. */
function asked<Value>(ask: (done: (error: Error | null | undefined, value: Value) => void) => void): Promise<Value> {
  return new Promise((resolve, reject) => {
    ask((error, value) => {
      if (error === undefined || error === null) resolve(value);
      else reject(error);
    });
  });
}

/** Calls a method of the library that gives none. */
function done(ask: (settle: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    ask((error) => {
      if (error === undefined || error === null) resolve();
      else reject(error);
    });
  });
}

/** Reads a folder in parts: the library's own method has no limit. */
async function list(sftp: SFTPWrapper, path: string, maxEntries: number): Promise<readonly RemoteEntry[]> {
  const handle = await asked<Buffer>((settle) => sftp.opendir(path, settle));
  const entries: RemoteEntry[] = [];
  try {
    for (;;) {
      const part = await asked<FileEntryWithStats[]>((settle) => sftp.readdir(handle, settle)).catch(nothingAtEnd);
      if (part === undefined) return entries;
      entries.push(...part.filter(({ filename }) => filename !== '.' && filename !== '..').map(entryOf));
      if (entries.length > maxEntries)
        throw new RemoteFailed(`The folder has more than ${maxEntries} entries.`, 'limit');
    }
  } finally {
    sftp.close(handle, () => undefined);
  }
}

/** The server signals the end by an error or by an empty list. */
function nothingAtEnd(error: unknown): undefined {
  if (codeOf(error) !== END_OF_FILE) throw error;
}

function entryOf({ filename, longname, attrs }: FileEntryWithStats): RemoteEntry {
  const [type = '-'] = longname;
  return {
    name: filename,
    type: attrs.isDirectory() ? 'd' : attrs.isSymbolicLink() || type === 'l' ? 'l' : '-',
    bytes: attrs.size,
    modifiedAt: new Date(attrs.mtime * 1000),
    accessedAt: new Date(attrs.atime * 1000),
    rights: rightsOf(attrs.mode),
    owner: attrs.uid,
    group: attrs.gid,
    longname,
  };
}

/** Three bits for each class of users. */
function rightsOf(mode: number): FileRights {
  const [user = '', group = '', other = ''] = [6, 3, 0].map((shift) =>
    ['r', 'w', 'x'].filter((_, bit) => ((mode >> shift) & (4 >> bit)) !== 0).join(''),
  );
  return { user, group, other };
}

/** Reads a file in parts, whatever size the server reports. */
async function read(sftp: SFTPWrapper, path: string, maxBytes: number): Promise<Uint8Array> {
  const handle = await asked<Buffer>((settle) => sftp.open(path, 'r', settle));
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for (;;) {
      const wanted = Array.from({ length: READS_AT_A_TIME }, (_, part) => readPart(sftp, handle, bytes + part * CHUNK));
      for (const part of await Promise.all(wanted)) {
        bytes += part.length;
        chunks.push(part);
        if (bytes > maxBytes) throw new RemoteFailed(`The file has more than ${maxBytes} bytes.`, 'limit');
        // a server may return less than requested: request the rest again
        if (part.length === 0) return Buffer.concat(chunks);
        if (part.length < CHUNK) break;
      }
    }
  } finally {
    sftp.close(handle, () => undefined);
  }
}

function readPart(sftp: SFTPWrapper, handle: Buffer, position: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    sftp.read(handle, Buffer.alloc(CHUNK), 0, CHUNK, position, (error: Error | null | undefined, bytes, data) => {
      if (error === undefined || error === null) resolve(data.subarray(0, bytes));
      else if (codeOf(error) === END_OF_FILE) resolve(Buffer.alloc(0));
      else reject(error);
    });
  });
}

async function removeFolder(sftp: SFTPWrapper, path: string, withContent: boolean, maxEntries: number): Promise<void> {
  if (withContent) {
    const found = await walkFolders((folder) => list(sftp, folder, maxEntries), path, maxEntries);
    for (const { path: inner, entry } of found.toReversed())
      await done((settle) => (entry.type === 'd' ? sftp.rmdir(inner, settle) : sftp.unlink(inner, settle)));
  }
  await done((settle) => sftp.rmdir(path, settle));
}

async function makeFolders(sftp: SFTPWrapper, path: string): Promise<void> {
  for (const folder of foldersOf(path)) {
    if (await exists(sftp, folder)) continue;
    await done((settle) => sftp.mkdir(folder, settle));
  }
}

async function exists(sftp: SFTPWrapper, path: string): Promise<boolean> {
  try {
    await asked<Stats>((settle) => sftp.stat(path, settle));
    return true;
  } catch (error) {
    if (codeOf(error) === NO_SUCH_FILE) return false;
    throw error;
  }
}

/** Rewords an error of the server about a path; passes anything else on. */
function refusalOf(error: unknown, path: string, host: string): unknown {
  const code = codeOf(error);
  if (error instanceof RemoteFailed || code === undefined) return error;
  const said = error instanceof Error ? saidBy(error.message) : '';
  return new RemoteFailed(`The server refused it (host "${host}", path "${path}"${said}).`, 'server', code, error);
}

function codeOf(error: unknown): number | undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'number' ? code : undefined;
}
