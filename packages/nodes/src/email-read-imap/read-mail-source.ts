import { type AddressObject, type HeaderValue, type ParsedMail, simpleParser } from 'mailparser';
import type { JsonObject } from '@weft/node-catalogue';

/** A mail to parse. */
export interface ReadMailTask {
  readonly source: Uint8Array;
  /** `resolved`: the full output of the parser. `simple`: text and headers. */
  readonly form: 'resolved' | 'simple';
  /** True: includes attachments; with `simple`, those that are not part of the text. */
  readonly withAttachments: boolean;
}

export interface MailFile {
  readonly fileName: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

/** A parsed mail. */
export interface ReadMail {
  readonly json: JsonObject;
  readonly files: readonly MailFile[];
}

/** Headers that a simple mail has in addition to its text; the others are metadata. */
const TOP_HEADERS: ReadonlySet<string> = new Set(['cc', 'date', 'from', 'subject', 'to']);

/** Parses a mail. @throws Error if it cannot be read */
export async function readMailSource({ source, form, withAttachments }: ReadMailTask): Promise<ReadMail> {
  const isSimple = form === 'simple';
  const mail = await simpleParser(Buffer.from(source), isSimple ? { skipHtmlToText: true, skipTextToHtml: true } : {});
  const files = mail.attachments.filter(({ contentDisposition }) => !isSimple || contentDisposition === 'attachment');
  return {
    json: isSimple ? simpleMail(mail) : resolvedMail(mail),
    files: (withAttachments ? files : []).map(({ filename, contentType, content }, index) => ({
      fileName: filename ?? `attachment-${index}`,
      mimeType: contentType,
      bytes: new Uint8Array(content),
    })),
  };
}

function resolvedMail({ attachments: _files, headerLines, headers: _headers, ...mail }: ParsedMail): JsonObject {
  const headers = Object.fromEntries(headerLines.map(({ key, line }) => [key, line]));
  const json: JsonObject = JSON.parse(JSON.stringify({ ...mail, headers }));
  return json;
}

function simpleMail({ html, text, headerLines, headers }: ParsedMail): JsonObject {
  const top: JsonObject = {};
  const metadata: JsonObject = {};
  for (const { key, line } of headerLines) {
    const target = TOP_HEADERS.has(key) ? top : metadata;
    if (!Object.hasOwn(target, key)) target[key] = headerText(headers.get(key), line);
  }
  return {
    ...(typeof html === 'string' ? { textHtml: html } : {}),
    ...(text === undefined ? {} : { textPlain: text }),
    metadata,
    ...top,
  };
}

/** The value of a header: addresses and encoded words are decoded, everything else is unchanged. */
function headerText(value: HeaderValue | undefined, line: string): string {
  if (typeof value === 'string') return value;
  if (isAddresses(value)) return value.text;
  return line
    .slice(line.indexOf(':') + 1)
    .replaceAll(/\r?\n\s*/g, ' ')
    .trim();
}

function isAddresses(value: HeaderValue | undefined): value is AddressObject {
  return typeof value === 'object' && 'text' in value && typeof value.text === 'string';
}
