/** A file format, detected by the first bytes of a file. */
export interface ShownType {
  readonly mimeType: string;
  /** Without the dot. */
  readonly extension: string;
}

interface Signature extends ShownType {
  /** The first bytes as a string, one character per byte. */
  readonly mark: string;
  /** Position of the signature. */
  readonly at?: number;
}

const signature = (mimeType: string, extension: string, mark: string, at = 0): Signature => ({
  mimeType,
  extension,
  mark,
  at,
});

/** Formats by signature: the first match counts, so longer signatures come first. */
const SIGNATURES: readonly Signature[] = [
  signature('image/png', 'png', '\x89PNG\r\n\x1a\n'),
  signature('image/jpeg', 'jpg', '\xff\xd8\xff'),
  signature('image/gif', 'gif', 'GIF8'),
  signature('image/webp', 'webp', 'WEBP', 8),
  signature('image/tiff', 'tif', 'II*\0'),
  signature('image/tiff', 'tif', 'MM\0*'),
  signature('image/bmp', 'bmp', 'BM'),
  signature('image/x-icon', 'ico', '\0\0\x01\0'),
  signature('image/vnd.adobe.photoshop', 'psd', '8BPS'),
  signature('image/avif', 'avif', 'ftypavif', 4),
  signature('image/heic', 'heic', 'ftypheic', 4),
  signature('video/quicktime', 'mov', 'ftypqt', 4),
  signature('audio/x-m4a', 'm4a', 'ftypM4A', 4),
  signature('video/mp4', 'mp4', 'ftyp', 4),
  signature('video/webm', 'webm', '\x1a\x45\xdf\xa3'),
  signature('video/vnd.avi', 'avi', 'AVI ', 8),
  signature('audio/wav', 'wav', 'WAVE', 8),
  signature('audio/ogg', 'ogg', 'OggS'),
  signature('audio/x-flac', 'flac', 'fLaC'),
  signature('audio/mpeg', 'mp3', 'ID3'),
  signature('audio/mpeg', 'mp3', '\xff\xfb'),
  signature('audio/aac', 'aac', '\xff\xf1'),
  signature('application/pdf', 'pdf', '%PDF'),
  signature('application/postscript', 'ps', '%!'),
  signature('application/rtf', 'rtf', '{\\rtf'),
  signature('application/xml', 'xml', '<?xml '),
  signature('application/x-cfb', 'cfb', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'),
  signature('application/gzip', 'gz', '\x1f\x8b\x08'),
  signature('application/x-bzip2', 'bz2', 'BZh'),
  signature('application/x-xz', 'xz', '\xfd7zXZ\0'),
  signature('application/x-7z-compressed', '7z', "7z\xbc\xaf'\x1c"),
  signature('application/x-rar-compressed', 'rar', 'Rar!\x1a\x07'),
  signature('application/x-tar', 'tar', 'ustar', 257),
  signature('application/wasm', 'wasm', '\0asm'),
  signature('application/x-sqlite3', 'sqlite', 'SQLi'),
  signature('font/woff', 'woff', 'wOFF'),
  signature('font/woff2', 'woff2', 'wOF2'),
];

const OFFICE = 'application/vnd.openxmlformats-officedocument';
/** Formats that are ZIP archives, by the prefix of an entry name. */
const ARCHIVES: readonly Signature[] = [
  signature(`${OFFICE}.wordprocessingml.document`, 'docx', 'word/'),
  signature(`${OFFICE}.spreadsheetml.sheet`, 'xlsx', 'xl/'),
  signature(`${OFFICE}.presentationml.presentation`, 'pptx', 'ppt/'),
  signature('application/vnd.oasis.opendocument.text', 'odt', 'mimetypeapplication/vnd.oasis.opendocument.text'),
  signature(
    'application/vnd.oasis.opendocument.spreadsheet',
    'ods',
    'mimetypeapplication/vnd.oasis.opendocument.spreadsheet',
  ),
  signature('application/epub+zip', 'epub', 'mimetypeapplication/epub+zip'),
];
const ZIP = { mimeType: 'application/zip', extension: 'zip' };
/** The header of an entry, up to its name. */
const PART_HEADER = 30;
const PART_MARK = 'PK\x03\x04';
/** Maximum number of bytes of an archive that are inspected. */
const HEAD_BYTES = 65_536;

/** Detects the format of a file by its first bytes; undefined for text and unknown formats. */
export function typeOfBytes(bytes: Uint8Array): ShownType | undefined {
  const text = (from: number, length: number): string =>
    Buffer.from(bytes.subarray(from, from + length)).toString('latin1');
  const start = text(0, 3) === '\xef\xbb\xbf' ? 3 : 0;
  if (text(0, 4) === PART_MARK) return typeOfArchive(text(0, HEAD_BYTES));
  const found = SIGNATURES.find(({ mark, at = 0 }) => text(start + at, mark.length) === mark);
  return found && { mimeType: found.mimeType, extension: found.extension };
}

function typeOfArchive(head: string): ShownType {
  for (let part = 0; part >= 0; part = head.indexOf(PART_MARK, part + 1)) {
    const found = ARCHIVES.find(({ mark }) => head.startsWith(mark, part + PART_HEADER));
    if (found !== undefined) return { mimeType: found.mimeType, extension: found.extension };
  }
  return ZIP;
}
