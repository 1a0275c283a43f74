import { type JsonObject, textField } from '@weft/node-catalogue';
import { type Item, messageOf, type NodeContext, type NodeExecutor, output } from '@weft/engine';
import { below, type FtpServer, RemoteFailed, type RemoteEntry, type RemoteFiles, walkFolders } from '@weft/outbound';
import { eachItem, madeItem, type MadeItem } from '../shared/each-item';
import { loadFile, storeFile } from '../shared/files/item-files';
import { booleanParameter, choiceParameter, numberParameter, textParameter } from '../shared/read-parameter';
import { folderOf, nameIn } from '../shared/remote/file-name';
import { remoteBoundsOf, remoteNodeFailure, sshServerOf } from '../shared/remote/session';
import { serverAddress } from '../shared/sql/server-address';

const FTP_PORT = 21;
const CONNECT_MS = 10_000;
const MAX_ENTRIES = 10_000;
const OPERATIONS = ['delete', 'download', 'list', 'rename', 'upload'] as const;
/** FTP codes for a file that cannot be written or renamed, which also report a missing folder (RFC 959). */
const NOT_WRITTEN: readonly (number | undefined)[] = [451, 550, 553];

type Operation = (typeof OPERATIONS)[number];
type Protocol = 'ftp' | 'sftp';

/** Lists, downloads, uploads, renames and deletes files of a server over FTP or SFTP. Versions 1 and 1.1. */
export const ftp: NodeExecutor = {
  kind: 'ftp',
  actsOutside: true,
  run: async (context) => {
    const protocol = choiceParameter(context, 'protocol', 0, ['ftp', 'sftp']);
    const operation = choiceParameter(context, 'operation', 0, OPERATIONS);
    return output(await withFiles(context, protocol, (files) => runEach(context, files, protocol, operation)));
  },
};

async function withFiles(
  context: NodeContext,
  protocol: Protocol,
  use: (files: RemoteFiles) => Promise<Item[]>,
): Promise<Item[]> {
  const bounds = remoteBoundsOf(numberParameter(context, 'options.timeout', 0, CONNECT_MS));
  const data = await context.credential(protocol);
  const { remote } = context.ports;
  try {
    if (protocol === 'sftp') return await remote.ssh(sshServerOf('sftp', data), bounds, context.signal, use);
    return await remote.ftp(ftpServerOf(data), bounds, context.signal, use);
  } catch (thrown) {
    const failure = remoteNodeFailure(thrown);
    // A session that cannot be opened gives one item in total.
    if (!context.continueOnFail || context.signal.aborted) throw failure;
    return [{ json: { error: messageOf(failure) }, pairedItem: context.items.map((_, item) => ({ item })) }];
  }
}

/** The server in a credential of type ftp. @throws NodeFailure for invalid fields */
export function ftpServerOf(data: JsonObject): FtpServer {
  return {
    ...serverAddress('ftp', data, FTP_PORT),
    user: textField(data, 'username') ?? '',
    password: textField(data, 'password') ?? '',
  };
}

function runEach(context: NodeContext, files: RemoteFiles, protocol: Protocol, operation: Operation): Promise<Item[]> {
  return eachItem(context, async (item, index) => {
    try {
      return await runOne(context, files, protocol, operation, item, index);
    } catch (thrown) {
      throw remoteNodeFailure(thrown, index);
    }
  });
}

async function runOne(
  context: NodeContext,
  files: RemoteFiles,
  protocol: Protocol,
  operation: Operation,
  item: Item,
  index: number,
): Promise<readonly MadeItem[]> {
  const path = (name = 'path'): string => textParameter(context, name, index);
  switch (operation) {
    case 'list':
      return list(context, files, protocol, index);
    case 'delete':
      if (booleanParameter(context, 'options.folder', index))
        await files.removeFolder(path(), booleanParameter(context, 'options.recursive', index));
      else await files.remove(path());
      return [{ json: { success: true } }];
    case 'rename': {
      const makes = booleanParameter(context, 'options.createDirectories', index);
      await withFolder(files, protocol, path('newPath'), makes, () => files.rename(path('oldPath'), path('newPath')));
      return [{ json: { success: true } }];
    }
    case 'download': {
      const file = await storeFile(context.ports.files, await files.read(path()), nameIn(path()));
      return [madeItem(item.json, { ...item.binary, [textParameter(context, 'binaryPropertyName', index)]: file })];
    }
    case 'upload': {
      const content = await contentOf(context, index);
      await withFolder(files, protocol, path(), true, () => files.write(path(), content));
      return [madeItem(item.json, item.binary)];
    }
  }
}

async function contentOf(context: NodeContext, index: number): Promise<Uint8Array> {
  if (!booleanParameter(context, 'binaryData', index, true))
    return Buffer.from(textParameter(context, 'fileContent', index), 'utf8');
  return (await loadFile(context, index, textParameter(context, 'binaryPropertyName', index))).bytes;
}

/**
 * Writes to a path, and creates its folder if configured: over SFTP before writing, over FTP once the server has
 * rejected the file, since many servers do not permit creating folders that exist.
 */
async function withFolder(
  files: RemoteFiles,
  protocol: Protocol,
  path: string,
  makes: boolean,
  write: () => Promise<void>,
): Promise<void> {
  const folder = folderOf(path);
  if (!makes || folder === '') return write();
  if (protocol === 'sftp') {
    await files.makeFolders(folder);
    return write();
  }
  try {
    await write();
  } catch (thrown) {
    if (!(thrown instanceof RemoteFailed) || !NOT_WRITTEN.includes(thrown.serverCode)) throw thrown;
    await files.makeFolders(folder);
    await write();
  }
}

async function list(
  context: NodeContext,
  files: RemoteFiles,
  protocol: Protocol,
  index: number,
): Promise<readonly MadeItem[]> {
  const folder = textParameter(context, 'path', index);
  const found = booleanParameter(context, 'recursive', index)
    ? await walkFolders((path) => files.list(path), folder, MAX_ENTRIES)
    : (await files.list(folder)).map((entry) => ({ path: below(folder, entry.name), entry }));
  return found.map(({ path, entry }) => ({ json: protocol === 'sftp' ? sftpJson(entry, path) : ftpJson(entry, path) }));
}

function ftpJson(entry: RemoteEntry, path: string): JsonObject {
  const { type, name, rights, owner, group, bytes, modifiedAt } = entry;
  return {
    ...{ type, name, rights: { ...rights }, owner, group, size: bytes },
    ...(modifiedAt === undefined ? {} : { modifyTime: modifiedAt.toISOString() }),
    path,
  };
}

function sftpJson(entry: RemoteEntry, path: string): JsonObject {
  const { type, name, rights, owner, group, bytes, modifiedAt, accessedAt, longname = '' } = entry;
  return {
    ...{ type, name, size: bytes },
    ...(modifiedAt === undefined ? {} : { modifyTime: modifiedAt.toISOString() }),
    ...(accessedAt === undefined ? {} : { accessTime: accessedAt.toISOString() }),
    ...{ rights: { ...rights }, owner, group, longname, path },
  };
}
