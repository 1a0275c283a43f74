import { isJsonObject, type Json, type JsonObject, textField } from '@weft/node-catalogue';
import { type BinaryReference, bytesOf, NodeFailure } from '@weft/engine';
import { composeMail, type DraftFile } from '@weft/outbound';
import { addressList, subjectLine } from '../../mail/header-text';
import type { FilePart, MailPart } from '../settings';

/** Maximum total size in bytes of the files of one mail, or of one JSON body. */
const MAX_FILES_BYTES = 25 * 1024 * 1024;
/** Maximum number of files of one mail, or of one JSON body. */
const MAX_FILES = 100;

/** Loads the file under a property of the item's binary data. @throws NodeFailure if there is none */
export type LoadFile = (
  property: string,
) => Promise<{ readonly reference: BinaryReference; readonly bytes: Uint8Array }>;

/**
 * A JSON body with mails at their places, each as Base64 (URL) of its text in MIME.
 * @throws NodeFailure for injected headers, and for files that are missing or too large
 */
export async function withMails(value: Json, mails: readonly MailPart[], load: LoadFile): Promise<Json> {
  let whole = value;
  for (const { path, message } of mails) {
    const text = await encodeMail(message, load);
    whole = withValue(whole, path, text);
  }
  return whole;
}

/**
 * A JSON body with files at their places, each as Base64.
 * @throws NodeFailure for files that are missing, too many or too large
 */
export async function withFiles(value: Json, files: readonly FilePart[], load: LoadFile): Promise<Json> {
  if (files.length > MAX_FILES) throw new NodeFailure(`A request can have at most ${MAX_FILES} files in JSON.`);
  let whole = value;
  let left = MAX_FILES_BYTES;
  for (const { path, property } of files) {
    const { reference, bytes } = await load(property);
    left -= Math.max(bytes.length, bytesOf(reference) ?? 0);
    if (left < 0) throw new NodeFailure(`The files of the request have more than ${MAX_FILES_BYTES / 1024 / 1024} MB.`);
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
    whole = withValue(whole, path, text);
  }
  return whole;
}

function withValue(target: Json, [name, ...rest]: readonly string[], value: string): Json {
  if (name === undefined) return value;
  const object = isJsonObject(target) ? target : {};
  return { ...object, [name]: withValue(object[name] ?? {}, rest, value) };
}

/** Headers with addresses or ids of messages. */
const HEADERS = ['from', 'to', 'cc', 'bcc', 'replyTo', 'inReplyTo', 'references'] as const;

async function encodeMail(message: JsonObject, load: LoadFile): Promise<string> {
  const headers: Partial<Record<(typeof HEADERS)[number], string>> = {};
  for (const name of HEADERS) {
    const list = addressList(textField(message, name) ?? '', `field "${name}" of the mail`);
    if (list !== undefined) headers[name] = list;
  }
  const text = textField(message, 'text');
  const html = textField(message, 'html');
  const bytes = await composeMail({
    ...headers,
    subject: subjectLine(textField(message, 'subject') ?? ''),
    ...(text === undefined ? {} : { text }),
    ...(html === undefined ? {} : { html }),
    attachments: await filesOf(message, load),
  });
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url');
}

async function filesOf({ attachments }: JsonObject, load: LoadFile): Promise<DraftFile[]> {
  const names = Array.isArray(attachments) ? attachments.filter((name) => typeof name === 'string') : [];
  if (names.length > MAX_FILES) throw new NodeFailure(`A mail can have at most ${MAX_FILES} files.`);
  const files: DraftFile[] = [];
  let left = MAX_FILES_BYTES;
  for (const name of names) {
    const { reference, bytes } = await load(name);
    left -= Math.max(bytes.length, bytesOf(reference) ?? 0);
    if (left < 0)
      throw new NodeFailure(`The files of the mail have more than ${MAX_FILES_BYTES / 1024 / 1024} MB.`, {
        description: 'Send a link to the files instead.',
      });
    files.push({ fileName: reference.fileName ?? 'unknown', mimeType: reference.mimeType, content: bytes });
  }
  return files;
}
