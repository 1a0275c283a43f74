import { bytesOf, type NodeContext, NodeFailure } from '@weft/engine';
import type { Mail, MailAttachment } from '@weft/outbound';
import { loadFile } from '../shared/files/item-files';
import { choiceParameter, namesParameter, textParameter } from '../shared/read-parameter';
import { addressList, subjectLine } from '../shared/mail/header-text';
import { messageIdOf } from './message-id';

/** Limits of the attachments of one mail: their total bytes, and their number. */
const MAX_ATTACHMENTS_BYTES = 50 * 1024 * 1024;
const MAX_ATTACHMENTS = 100;

/** Paths of parameters by version. Version 1 has no choice of format and more of them at the top level. */
interface Paths {
  readonly cc: string;
  readonly bcc: string;
  readonly attachments: string;
}

const FIRST: Paths = { cc: 'ccEmail', bcc: 'bccEmail', attachments: 'attachments' };
const LATER: Paths = { cc: 'options.ccEmail', bcc: 'options.bccEmail', attachments: 'options.attachments' };

/** Reads the mail for one item from the parameters. @throws NodeFailure if they are invalid */
export async function readMail(context: NodeContext, itemIndex: number): Promise<Mail> {
  const paths = context.version < 2 ? FIRST : LATER;
  return {
    ...mailHead(context, itemIndex, paths),
    ...bodyOf(context, itemIndex),
    attachments: await attachmentsOf(context, paths.attachments, itemIndex),
  };
}

/**
 * Everything but the content.
 * @throws NodeFailure without a sender or a recipient, and for injected headers
 */
export function mailHead(
  context: NodeContext,
  itemIndex: number,
  paths: Pick<Paths, 'cc' | 'bcc'>,
): Omit<Mail, 'text' | 'html' | 'attachments'> {
  const addresses = (path: string, what: string): string | undefined =>
    addressList(textParameter(context, path, itemIndex), what, itemIndex);
  const from = addresses('fromEmail', 'sender');
  if (from === undefined) throw new NodeFailure('The mail has no sender. Set "From Email".', { itemIndex });
  const [to, cc, bcc] = [
    addresses('toEmail', 'recipient'),
    addresses(paths.cc, 'list of copies'),
    addresses(paths.bcc, 'list of blind copies'),
  ];
  if (to === undefined && cc === undefined && bcc === undefined)
    throw new NodeFailure('The mail has no recipient. Set "To Email".', { itemIndex });
  const replyTo = addresses('options.replyTo', 'reply address');
  return {
    messageId: messageIdOf(context.executionId, context.node.name, context.runIndex, itemIndex, from),
    date: new Date(context.ports.clock.now()),
    from,
    to: to ?? '',
    ...(cc === undefined ? {} : { cc }),
    ...(bcc === undefined ? {} : { bcc }),
    ...(replyTo === undefined ? {} : { replyTo }),
    subject: subjectLine(textParameter(context, 'subject', itemIndex), itemIndex),
  };
}

function bodyOf(context: NodeContext, itemIndex: number): Pick<Mail, 'text' | 'html'> {
  const [text, html] = [
    (): string => textParameter(context, 'text', itemIndex),
    (): string => textParameter(context, 'html', itemIndex),
  ];
  if (context.version < 2) {
    const written = html();
    return written === '' ? { text: text() } : { text: text(), html: written };
  }
  switch (
    choiceParameter(
      context,
      'emailFormat',
      itemIndex,
      ['text', 'html', 'both'],
      context.version < 2.1 ? 'text' : 'html',
    )
  ) {
    case 'text':
      return { text: text() };
    case 'html':
      return { html: html() };
    case 'both':
      return { text: text(), html: html() };
  }
}

async function attachmentsOf(context: NodeContext, path: string, itemIndex: number): Promise<MailAttachment[]> {
  const names = namesParameter(context, path, itemIndex);
  if (names.length > MAX_ATTACHMENTS)
    throw new NodeFailure(`A mail can have at most ${MAX_ATTACHMENTS} files`, { itemIndex });
  const files = names.map((name) => context.items[itemIndex]?.binary?.[name]);
  const sizes = files.map((file) => (file === undefined ? 0 : bytesOf(file)));
  if (sizes.reduce((sum, size) => sum + size, 0) > MAX_ATTACHMENTS_BYTES)
    throw new NodeFailure(`The files of the mail have more than ${MAX_ATTACHMENTS_BYTES} bytes`, {
      itemIndex,
      description: 'Send a link to the files instead.',
    });
  const attachments: MailAttachment[] = [];
  for (const name of names) {
    const { reference, bytes } = await loadFile(context, itemIndex, name);
    attachments.push({
      fileName: (reference.fileName ?? 'unknown').replaceAll(/[\u0000-\u001f\u007f]/g, ''),
      mimeType: reference.mimeType,
      content: bytes,
      contentId: name,
    });
  }
  return attachments;
}
