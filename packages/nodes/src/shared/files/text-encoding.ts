import { NodeFailure } from '@weft/engine';

const BOM = '\uFEFF';

/** Encodings that bytes can be made in, by their names without signs. */
const WRITTEN: Readonly<Record<string, BufferEncoding>> = {
  utf8: 'utf8',
  utf16le: 'utf16le',
  ucs2: 'utf16le',
  utf16: 'utf16le',
  latin1: 'latin1',
  iso88591: 'latin1',
  binary: 'latin1',
  ascii: 'ascii',
  base64: 'base64',
  hex: 'hex',
};

const plain = (encoding: string): string => encoding.toLowerCase().replace(/[^a-z0-9]/g, '');

/**
 * The text that bytes hold in an encoding; `base64` and `hex` give the bytes written so.
 * @throws NodeFailure for an unknown encoding
 */
export function decodeText(bytes: Uint8Array, encoding: string, stripBom: boolean): string {
  const name = plain(encoding);
  if (name === 'base64' || name === 'hex') return Buffer.from(bytes).toString(name);
  try {
    return new TextDecoder(encoding === '' ? 'utf-8' : (LABELS[name] ?? encoding), { ignoreBOM: !stripBom }).decode(
      bytes,
    );
  } catch (error) {
    throw new NodeFailure(`The encoding "${encoding}" is not known`, { cause: error });
  }
}

/** Names that are written otherwise in the Encoding Standard. */
const LABELS: Readonly<Record<string, string>> = {
  utf8: 'utf-8',
  utf16: 'utf-16le',
  utf16le: 'utf-16le',
  utf16be: 'utf-16be',
  ucs2: 'utf-16le',
  binary: 'latin1',
  cp1252: 'windows-1252',
  cp1251: 'windows-1251',
};

/** Bytes of a string. @throws NodeFailure for an encoding that is read only */
export function encodeText(text: string, encoding: string, addBom: boolean): Uint8Array {
  const known = WRITTEN[plain(encoding === '' ? 'utf8' : encoding)];
  if (known === undefined)
    throw new NodeFailure(`Files cannot be written in "${encoding}"`, {
      description: `Use one of ${Object.keys(WRITTEN).join(', ')}.`,
    });
  return Buffer.from(addBom && (known === 'utf8' || known === 'utf16le') ? BOM + text : text, known);
}
