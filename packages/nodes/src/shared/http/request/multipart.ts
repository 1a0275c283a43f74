import { randomBytes } from 'node:crypto';

/** One part of a multipart body, ready to be written. */
export interface WrittenPart {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly fileName?: string;
  readonly contentType?: string;
}

/** A body and its content type, which contains the boundary. */
export interface WrittenMultipart {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** Writes a multipart/form-data body. Quotes names and file names as browsers do, so that they cannot add headers. */
export function writeMultipart(
  parts: readonly WrittenPart[],
  boundary = `----weft${randomBytes(12).toString('hex')}`,
): WrittenMultipart {
  const chunks: Uint8Array[] = [];
  for (const part of parts)
    chunks.push(
      Buffer.from(`--${boundary}\r\n${headOf(part)}\r\n\r\n`),
      Buffer.from(part.content),
      Buffer.from('\r\n'),
    );
  chunks.push(Buffer.from(`--${boundary}--\r\n`));
  return { contentType: `multipart/form-data; boundary=${boundary}`, bytes: Buffer.concat(chunks) };
}

function headOf(part: WrittenPart): string {
  const fileName = part.fileName === undefined ? '' : `; filename="${quoted(part.fileName)}"`;
  const type =
    part.contentType === undefined ? '' : `\r\nContent-Type: ${part.contentType.replaceAll(/[^\x20-\x7e]/g, '')}`;
  return `Content-Disposition: form-data; name="${quoted(part.name)}"${fileName}${type}`;
}

function quoted(text: string): string {
  return text.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}
