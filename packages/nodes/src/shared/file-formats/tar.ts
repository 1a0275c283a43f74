import { gunzipSync, gzipSync } from 'node:zlib';
import { withoutTrailing } from '@weft/service-kit/text';
import { createPart } from './archives';
import { FormatError } from './format-error';
import { BLOCK, checksumOf, FIELDS, hasChecksum, numberAt, textAt } from './tar-header';
import { type ArchivedFile, MAX_UNPACKED, type UnzippedPart, type UnzipTask } from './tasks';

/** Types of plain files: of POSIX, of older programs, and contiguous files. */
const PLAIN = new Set(['0', '\0', '7']);

/** Creates a POSIX TAR archive. A name that does not fit into its header gets an extended header. */
export const tar = ({
  files,
  gzip,
}: {
  readonly files: readonly ArchivedFile[];
  readonly gzip: boolean;
}): Uint8Array => {
  const parts = files.flatMap(({ name, bytes }) => [
    ...(Buffer.byteLength(name) > FIELDS.name[1] ? entryOf('x', 'PaxHeader', paxPath(name)) : []),
    ...entryOf('0', name, bytes),
  ]);
  const archive = Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
  return gzip ? gzipSync(archive) : archive;
};

/**
 * One part of the plain files of a TAR archive, with or without gzip. Links, devices and folders are left out, as are
 * files whose path is absolute or escapes the archive.
 * @throws FormatError if the archive is damaged or contains too much
 */
export const untar = ({ bytes, from }: UnzipTask): UnzippedPart => {
  const part = createPart(from);
  const isWanted = (name: string): boolean => !name.includes('__MACOSX') && !leadsOut(name);
  const files: ArchivedFile[] = [];
  for (const file of entriesOf(unpacked(bytes)))
    if (part.takes(file.bytes.length, isWanted(file.name))) files.push(file);
  return part.answer(files);
};

function unpacked(bytes: Uint8Array): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return Buffer.from(bytes);
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED });
  } catch (error) {
    const isLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw new FormatError(
      isLarge
        ? `The archive contains more than ${MAX_UNPACKED / 1024 / 1024} MB when it is unpacked.`
        : `The archive cannot be unpacked: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function* entriesOf(archive: Buffer): Generator<ArchivedFile> {
  let longName: string | undefined;
  for (let at = 0; at + BLOCK <= archive.length;) {
    if (archive.subarray(at, at + BLOCK).every((byte) => byte === 0)) return;
    if (!hasChecksum(archive, at)) throw new FormatError('The archive is damaged: a header has a wrong checksum.');
    const size = numberAt(archive, at, FIELDS.size);
    const type = archive.toString('latin1', at + FIELDS.type[0], at + FIELDS.type[0] + 1);
    const content = archive.subarray(at + BLOCK, at + BLOCK + size);
    if (!(size >= 0)) throw new FormatError('The archive is damaged: a header has no size.');
    if (content.length < size) throw new FormatError('The archive is damaged: it ends within a file.');
    if (type === 'x') longName = pathIn(content) ?? longName;
    else if (type === 'L') longName = withoutTrailing(content.toString(), '\0');
    else if (type !== 'g') {
      const name = longName ?? shortName(archive, at);
      longName = undefined;
      if (PLAIN.has(type) && !name.endsWith('/')) yield { name, bytes: content };
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
}

function shortName(archive: Buffer, at: number): string {
  const isPosix = archive.toString('latin1', at + 257, at + 263) === 'ustar\0';
  const prefix = isPosix ? textAt(archive, at, FIELDS.prefix) : '';
  return prefix === '' ? textAt(archive, at, FIELDS.name) : `${prefix}/${textAt(archive, at, FIELDS.name)}`;
}

/** The path in the records of an extended header: `<length> path=<value>`. */
function pathIn(content: Buffer): string | undefined {
  for (let at = 0; at < content.length;) {
    const length = Number.parseInt(content.toString('latin1', at, at + 20), 10);
    if (!(length > 0)) return undefined;
    const record = content.toString('utf8', at, at + length - 1);
    const value = / path=(.*)$/s.exec(record)?.[1];
    if (value !== undefined && /^\d+ path=/.test(record)) return value;
    at += length;
  }
  return undefined;
}

function paxPath(name: string): Buffer {
  const rest = ` path=${name}\n`;
  let length = Buffer.byteLength(rest);
  while (String(length).length + Buffer.byteLength(rest) !== length) {
    length = String(length).length + Buffer.byteLength(rest);
  }
  return Buffer.from(`${length}${rest}`);
}

function entryOf(type: string, name: string, bytes: Uint8Array): Uint8Array[] {
  const header = Buffer.alloc(BLOCK);
  header.write(Buffer.from(name).subarray(0, FIELDS.name[1]).toString('latin1'), 0, 'latin1');
  header.write('0000644\0' + '0000000\0' + '0000000\0', 100, 'latin1');
  header.write(`${octal(bytes.length, 11)}\0${octal(0, 11)}\0`, FIELDS.size[0], 'latin1');
  header.write(type, FIELDS.type[0], 'latin1');
  header.write('ustar\0' + '00', 257, 'latin1');
  header.write(`${octal(checksumOf(header, 0), 6)}\0 `, FIELDS.checksum[0], 'latin1');
  return [header, bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)];
}

function leadsOut(name: string): boolean {
  return name.startsWith('/') || name.split('/').includes('..');
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}
