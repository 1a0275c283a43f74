import { type Item, type NodeContext, type NodeExecutor, NodeFailure, output } from '@weft/engine';
import type { CommandResult, SshSession } from '@weft/outbound';
import { eachItem, madeItem, type MadeItem } from '../shared/each-item';
import { loadFile, storeFile } from '../shared/files/item-files';
import { choiceParameter, textParameter } from '../shared/read-parameter';
import { nameIn, safeName } from '../shared/remote/file-name';
import { remoteBoundsOf, remoteNodeFailure, sshServerOf } from '../shared/remote/session';

const CONNECT_MS = 20_000;
const OPERATIONS = ['execute', 'download', 'upload'] as const;

/** Runs commands on a server over SSH, and downloads and uploads files. Version 1. */
export const ssh: NodeExecutor = {
  kind: 'ssh',
  actsOutside: true,
  run: async (context) => {
    const resource = choiceParameter(context, 'resource', 0, ['command', 'file']);
    const operations = resource === 'command' ? (['execute'] as const) : (['download', 'upload'] as const);
    const operation = choiceParameter(context, 'operation', 0, operations);
    return output(await withSession(context, (session) => runEach(context, session, operation)));
  },
};

async function withSession(context: NodeContext, use: (session: SshSession) => Promise<Item[]>): Promise<Item[]> {
  const by = choiceParameter(context, 'authentication', 0, ['password', 'privateKey']);
  const type = by === 'password' ? 'sshPassword' : 'sshPrivateKey';
  const server = sshServerOf(type, await context.credential(type));
  try {
    return await context.ports.remote.ssh(server, remoteBoundsOf(CONNECT_MS), context.signal, use);
  } catch (thrown) {
    throw remoteNodeFailure(thrown);
  }
}

function runEach(context: NodeContext, session: SshSession, operation: (typeof OPERATIONS)[number]): Promise<Item[]> {
  return eachItem(context, async (item, index) => {
    try {
      return [await runOne(context, session, operation, item, index)];
    } catch (thrown) {
      throw remoteNodeFailure(thrown, index);
    }
  });
}

async function runOne(
  context: NodeContext,
  session: SshSession,
  operation: (typeof OPERATIONS)[number],
  item: Item,
  index: number,
): Promise<MadeItem> {
  switch (operation) {
    case 'execute':
      return { json: { ...(await execute(context, session, index)) } };
    case 'download':
      return download(context, session, item, index);
    case 'upload':
      await upload(context, session, index);
      return { json: { success: true } };
  }
}

async function execute(context: NodeContext, session: SshSession, index: number): Promise<CommandResult> {
  const folder = await homePath(session, textParameter(context, 'cwd', index), index);
  const command = textParameter(context, 'command', index);
  return session.run(folder === '' ? command : `cd ${quoted(folder)} ; ${command}`);
}

async function download(context: NodeContext, session: SshSession, item: Item, index: number): Promise<MadeItem> {
  const path = await homePath(session, textParameter(context, 'path', index), index);
  const bytes = await session.read(path);
  const name = textParameter(context, 'options.fileName', index) || nameIn(path);
  const file = await storeFile(context.ports.files, bytes, name);
  const field = textParameter(context, 'binaryPropertyName', index);
  return madeItem(item.json, { ...item.binary, [field]: file });
}

async function upload(context: NodeContext, session: SshSession, index: number): Promise<void> {
  const folder = await homePath(session, textParameter(context, 'path', index), index);
  const { reference, bytes } = await loadFile(context, index, textParameter(context, 'binaryPropertyName', index));
  const name = safeName(textParameter(context, 'options.fileName', index) || (reference.fileName ?? ''));
  await session.write(`${folder}${folder.endsWith('/') ? '' : '/'}${name}`, bytes);
}

/** A path with `~` replaced by the folder that the login starts in. */
async function homePath(session: SshSession, path: string, itemIndex: number): Promise<string> {
  if (!path.startsWith('~')) return path;
  if (!path.startsWith('~/'))
    throw new NodeFailure('Invalid path. Replace "~" with home directory or "~/"', { itemIndex });
  const { stdout } = await session.run('echo $HOME');
  return `${stdout.replace(/\/$/, '')}${path.slice(1)}`;
}

/** Quotes a word for the shell, so that it is taken literally. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
