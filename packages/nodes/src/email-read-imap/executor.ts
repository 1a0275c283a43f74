import { DateTime } from 'luxon';
import { type Item, messageOf, type NodeContext, type NodeExecutor, NodeFailure } from '@weft/engine';
import { MAX_MAIL_BYTES, type Mailbox, type MailboxServer } from '@weft/outbound';
import { FormatError } from '../shared/file-formats/format-error';
import { runFormatTask } from '../shared/file-formats/run-format-task';
import { storeFile } from '../shared/files/item-files';
import { poll } from '../shared/polling/poll';
import { choiceParameter, textParameter } from '../shared/read-parameter';
import { imapServerOf } from './imap-server';
import { type FoundMail, mailboxKey, type MailQuery, newMails, redoOf } from './new-mails';
import { readConditions } from './search-conditions';

const UNREAD = '["UNSEEN"]';
const FORMATS = ['raw', 'resolved', 'simple'] as const;
/** Maximum JSON size of one mail. A larger one would not fit into the output with others. */
const MAX_ITEM_CHARACTERS = 8_000_000;
/** Maximum JSON size of all mails of a run. */
const MAX_RUN_CHARACTERS = 16_000_000;

/** Outputs the mails of a mailbox that no earlier run has output. Versions 1 to 2.2. */
export const emailReadImap: NodeExecutor = {
  kind: 'emailReadImap',
  actsOutside: true,
  run: async (context) => {
    const open = await openerOf(context);
    return poll(context, {
      ask: (known, commit) =>
        open(async (mailbox, key) => {
          const found = await newMails(mailbox, key, known, queryOf(context));
          const items = await itemsOf(context, mailbox, found.mails);
          const taken = found.mails.slice(0, items.length);
          const isWhole = taken.length === found.mails.length;
          const next = isWhole ? found.next : { ...found.next, lastUid: taken.at(-1)?.uid ?? 0 };
          await commit({ hasEvents: items.length > 0, next, redo: redoOf({ mails: taken, next }) });
          if (choiceParameter(context, 'postProcessAction', 0, ['nothing', 'read']) === 'read')
            await mailbox.markSeen(taken.map(({ uid }) => uid));
          return items;
        }),
      preview: () =>
        open(async (mailbox) => {
          const { conditions } = queryOf(context);
          const newest = (await mailbox.search(conditions, 1)).slice(-1);
          const sizes = await mailbox.sizes(newest);
          return itemsOf(
            context,
            mailbox,
            newest.map((uid) => ({ uid, bytes: sizes.get(uid) ?? 0 })),
          );
        }),
    });
  },
};

type Open = <Result>(use: (mailbox: Mailbox, key: string) => Promise<Result>) => Promise<Result>;

/** The mailbox is opened, and its credential requested, only when needed. */
async function openerOf(context: NodeContext): Promise<Open> {
  const name = textParameter(context, 'mailbox', 0);
  const acceptsAny = context.version < 2 && context.parameter('options.allowUnauthorizedCerts', 0) === true;
  return async (use) => {
    // The server would treat text after a line break as another command.
    if (/\p{Cc}/u.test(name)) throw new NodeFailure('The name of a mailbox must not contain control characters');
    const server: MailboxServer = imapServerOf(await context.credential('imap'), acceptsAny);
    try {
      return await context.ports.remote.mailbox(server, name, context.signal, (mailbox) =>
        use(mailbox, mailboxKey(server, name)),
      );
    } catch (thrown) {
      if (thrown instanceof NodeFailure || context.signal.aborted) throw thrown;
      throw new NodeFailure(messageOf(thrown), { cause: thrown });
    }
  };
}

function queryOf(context: NodeContext): MailQuery {
  const { version, timezone } = context;
  const tracksUids = version < 2.1 || context.parameter('options.trackLastMessageId', 0) !== false;
  const today = DateTime.fromMillis(context.ports.clock.now(), { zone: timezone }).toISODate() ?? undefined;
  return {
    conditions: readConditions(textParameter(context, 'options.customEmailConfig', 0) || UNREAD),
    tracksUids,
    ...(version < 2.1 || today === undefined ? {} : { firstDay: today }),
  };
}

/** The items of as many mails as fit into one run, in order. */
async function itemsOf(context: NodeContext, mailbox: Mailbox, mails: readonly FoundMail[]): Promise<Item[]> {
  const items: Item[] = [];
  let room = MAX_RUN_CHARACTERS;
  for (const mail of mails) {
    const item = await itemOf(context, mailbox, mail);
    room -= JSON.stringify(item.json).length;
    if (items.length > 0 && room < 0) break;
    items.push(item);
  }
  return items;
}

/** A mail that cannot be read becomes an item with the reason, so that it does not block the next ones. */
async function itemOf(context: NodeContext, mailbox: Mailbox, { uid, bytes }: FoundMail): Promise<Item> {
  const format = choiceParameter(context, 'format', 0, FORMATS);
  const attributes = context.version >= 2 && format !== 'raw' ? { attributes: { uid } } : {};
  const failed = (error: string): Item => ({ json: { error, attributes: { uid } } });
  if (bytes > MAX_MAIL_BYTES)
    return failed(`The mail has ${bytes} bytes, more than the limit of ${MAX_MAIL_BYTES} bytes.`);
  const source = await mailbox.read(uid, format === 'raw' ? 'text' : 'source');
  if (source === undefined) return failed('The mail was deleted before it was read.');
  if (format === 'raw') {
    const raw = Buffer.from(source.buffer, source.byteOffset, source.byteLength).toString('utf8');
    return raw.length > MAX_ITEM_CHARACTERS ? failed(TOO_MUCH_TEXT) : { json: { raw } };
  }
  const withAttachments = format === 'resolved' || context.parameter('downloadAttachments', 0) === true;
  try {
    const { json, files } = await runFormatTask(context, 'readMail', { source, form: format, withAttachments });
    if (JSON.stringify(json).length > MAX_ITEM_CHARACTERS) return failed(TOO_MUCH_TEXT);
    const prefix = withAttachments ? textParameter(context, 'dataPropertyAttachmentsPrefixName', 0) : '';
    const stored = await Promise.all(
      files.map(({ bytes: content, fileName, mimeType }) =>
        storeFile(context.ports.files, content, fileName, mimeType),
      ),
    );
    const binary = Object.fromEntries(stored.map((reference, index) => [`${prefix}${index}`, reference]));
    return { json: { ...json, ...attributes }, ...(stored.length === 0 ? {} : { binary }) };
  } catch (thrown) {
    if (context.signal.aborted || !(thrown instanceof FormatError)) throw thrown;
    return failed(`The mail cannot be read: ${messageOf(thrown).slice(0, 300)}`);
  }
}

const TOO_MUCH_TEXT = `The text of the mail has more than ${MAX_ITEM_CHARACTERS} characters.`;
