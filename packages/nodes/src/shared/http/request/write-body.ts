import { isJsonObject, type JsonObject } from '@weft/node-catalogue';
import { type BinaryReference, type FileStore, type Item, NodeFailure } from '@weft/engine';
import { writeMultipart, type WrittenPart } from './multipart';
import { type LoadFile, withFiles, withMails } from './put-mails';
import { queryString } from './query-string';
import { textOf } from './read-fields';
import type { BodySettings, Part } from '../settings';

/** A body as bytes, with its media type. */
export interface WrittenBody {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Replaces a content type that is set as a header. */
  readonly isTypeFixed?: boolean;
}

/**
 * Writes a body. `added` are fields of a credential: they are added to an object or a form, and replace fields of the
 * same name.
 * @throws NodeFailure for a file that the item does not have, or if files are not available
 */
export async function writeBody(
  body: BodySettings,
  added: JsonObject,
  item: Item | undefined,
  files: FileStore | undefined,
): Promise<WrittenBody> {
  switch (body.kind) {
    case 'json': {
      const load: LoadFile = (property) => fileOf(property, item, files);
      const value = await withFiles(await withMails(body.value, body.mails ?? [], load), body.files ?? [], load);
      const whole = isJsonObject(value) ? { ...value, ...added } : value;
      return { bytes: Buffer.from(JSON.stringify(whole)), contentType: 'application/json' };
    }
    case 'form': {
      const fields = [...body.fields.filter(([name]) => !Object.hasOwn(added, name)), ...Object.entries(added)];
      const contentType = 'application/x-www-form-urlencoded';
      return { bytes: Buffer.from(queryString(fields, body.listStyle ?? 'indices')), contentType, isTypeFixed: true };
    }
    case 'text':
      return { bytes: Buffer.from(body.text), contentType: body.contentType, isTypeFixed: body.isTypeFixed };
    case 'multipart': {
      const parts: Part[] = [...body.parts, ...Object.entries(added).map(([name, value]) => ({ name, value }))];
      const written: WrittenPart[] = [];
      for (const part of parts) written.push(await writePart(part, item, files));
      return writeMultipart(written);
    }
    case 'file': {
      const { reference, bytes } = await fileOf(body.property, item, files);
      return { bytes, contentType: body.mimeType ?? reference.mimeType };
    }
    case 'bytes':
      return { bytes: body.bytes, contentType: body.mimeType };
  }
}

async function writePart(part: Part, item: Item | undefined, files: FileStore | undefined): Promise<WrittenPart> {
  if ('value' in part) return { name: part.name, content: textOf(part.value) };
  if ('bytes' in part)
    return { name: part.name, content: part.bytes, contentType: part.mimeType, fileName: part.fileName };
  const { reference, bytes } = await fileOf(part.file, item, files);
  return {
    name: part.name,
    content: bytes,
    contentType: part.mimeType ?? reference.mimeType,
    fileName: part.fileName ?? reference.fileName ?? part.file,
  };
}

async function fileOf(
  property: string,
  item: Item | undefined,
  files: FileStore | undefined,
): Promise<{ readonly reference: BinaryReference; readonly bytes: Uint8Array }> {
  const binary = item?.binary ?? {};
  const reference = Object.hasOwn(binary, property) ? binary[property] : undefined;
  if (reference === undefined) {
    const present = Object.keys(binary);
    throw new NodeFailure(`The item has no file under "${property}".`, {
      description: present.length === 0 ? 'It has no files.' : `It has files under: ${present.join(', ')}.`,
    });
  }
  if (files === undefined) throw new NodeFailure('Files cannot be sent from here.');
  return { reference, bytes: await files.read(reference) };
}
