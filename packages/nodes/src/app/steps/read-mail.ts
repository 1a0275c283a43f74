import { messageOf, NodeFailure } from '@weft/engine';
import { isJsonObject, type Json } from '@weft/node-catalogue';
import { storeFile as storeBytes } from '../../shared/files/item-files';
import { FormatError } from '../../shared/file-formats/format-error';
import { runFormatTask } from '../../shared/file-formats/run-format-task';
import type { AppRun } from '../app-run';
import { valueAtPath } from '../build-call';
import type { PreparedMail } from '../prepare-request';
import type { CallResponse } from '../send-call';
import type { StoredFiles } from './store-file';
import type { TemplateScope } from '../template-scope';

/** A mail that was read from a response. */
export interface ReadMail {
  /** `$steps.NAME`: the response without the text of the mail, and the mail. */
  readonly root: Json;
  readonly files: StoredFiles;
}

/**
 * Reads the mail in a response, in a sealed process.
 * @throws NodeFailure if there is none, or it cannot be read
 */
export async function readMail(
  { from, attachments, prefix }: PreparedMail,
  { response, root }: CallResponse,
  run: AppRun,
  itemIndex: number,
  scope: TemplateScope,
): Promise<ReadMail> {
  const { app, context, budget } = run;
  const raw = valueAtPath(root.body, from);
  if (typeof raw !== 'string')
    throw new NodeFailure(`${app.label} answered without the text of the mail.`, { itemIndex });
  const withAttachments = attachments?.holds(scope) ?? false;
  const { json, files } = await runFormatTask(context, 'readMail', {
    source: Buffer.from(raw, 'base64url'),
    form: 'resolved',
    withAttachments,
  }).catch((thrown: unknown) => {
    if (!(thrown instanceof FormatError)) throw thrown;
    throw new NodeFailure(`The mail cannot be read: ${messageOf(thrown)}`, { itemIndex, cause: thrown });
  });
  // The text is gone, and what was read from it remains.
  budget.giveBack(response.body.length);
  budget.spend(Buffer.byteLength(JSON.stringify(json)));
  const begin = prefix?.text(scope) || 'attachment_';
  const stored = await Promise.all(
    files.map(({ bytes, fileName, mimeType }) => storeBytes(context.ports.files, bytes, fileName, mimeType)),
  );
  return {
    root: { ...root, body: withoutPath(root.body, from.split('.')), mail: json },
    files: Object.fromEntries(stored.map((reference, index) => [`${begin}${index}`, reference])),
  };
}

/** The value without the field at a path of names. */
export function withoutPath(value: Json, [name = '', ...rest]: readonly string[]): Json {
  if (!isJsonObject(value)) return value;
  const { [name]: found, ...others } = value;
  return rest.length === 0 || found === undefined ? others : { ...others, [name]: withoutPath(found, rest) };
}
