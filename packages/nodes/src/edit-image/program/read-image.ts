import { FormatError } from '../../shared/file-formats/format-error';
import { MAX_FRAMES, type ReadFormat, type WrittenFormat } from './image-tasks';
import { checkSize } from './sizes';
import { magick, type IMagickImageCollection, type MagickFormat } from './magick';

const MAGICK_FORMATS: Readonly<Record<ReadFormat, MagickFormat>> = {
  avif: magick.MagickFormat.Avif,
  bmp: magick.MagickFormat.Bmp,
  gif: magick.MagickFormat.Gif,
  heic: magick.MagickFormat.Heic,
  jpeg: magick.MagickFormat.Jpeg,
  png: magick.MagickFormat.Png,
  tiff: magick.MagickFormat.Tiff,
  webp: magick.MagickFormat.WebP,
};

/** The library's name of a format that it may write. */
export const magickFormatOf = (format: WrittenFormat): MagickFormat => MAGICK_FORMATS[format];

/** First bytes of a file, as Latin-1 from `at` on, that identify its format. */
const SIGNATURES: readonly (readonly [at: number, bytes: RegExp, format: ReadFormat])[] = [
  [0, /^\x89PNG\r\n\x1a\n/, 'png'],
  [0, /^\xff\xd8\xff/, 'jpeg'],
  [0, /^GIF8[79]a/, 'gif'],
  [0, /^RIFF[^]{4}WEBP/, 'webp'],
  [0, /^(?:II\x2a\0|MM\0\x2a)/, 'tiff'],
  [0, /^BM/, 'bmp'],
  [4, /^ftypavi[fs]/, 'avif'],
  [4, /^ftyp(?:hei[cxms]|hev[cx]|mif1|msf1)/, 'heic'],
];

/**
 * Detects the format of an image by its first bytes. Names and types are ignored because they would let an attacker
 * choose a decoder.
 * @throws FormatError for a file of no known format
 */
export const formatOf = (bytes: Uint8Array): ReadFormat => {
  const start = Buffer.from(bytes.subarray(0, 32)).toString('latin1');
  const found = SIGNATURES.find(([at, pattern]) => pattern.test(start.slice(at)));
  if (found !== undefined) return found[2];
  throw new FormatError('The file is not an image in PNG, JPEG, GIF, WebP, TIFF, BMP, HEIC or AVIF');
};

/** A decoded image: its frames, upright, on a transparent background. */
export interface ReadImage {
  readonly frames: IMagickImageCollection;
  readonly format: ReadFormat;
}

/**
 * Reads an image. The caller disposes of the frames.
 * @throws FormatError if it is not an image, is broken or too large
 */
export const readImage = (bytes: Uint8Array): ReadImage => {
  const format = formatOf(bytes);
  const settings = new magick.MagickReadSettings({ format: MAGICK_FORMATS[format] });
  const frames = magick.MagickImageCollection.create();
  try {
    checkSize(magick.MagickImageInfo.create(bytes, settings));
    frames.read(bytes, settings);
    const [first] = frames;
    if (first === undefined) throw new FormatError('The image has no frame');
    if (frames.length > MAX_FRAMES) throw new FormatError(`The image has more than ${MAX_FRAMES} frames`);
    // Frames of an animation may cover only part of the first frame's page.
    const page = { width: Math.max(first.page.width, first.width), height: Math.max(first.page.height, first.height) };
    checkSize(page, frames.length);
    if (frames.length > 1 && (format === 'gif' || format === 'webp')) frames.coalesce();
    for (const frame of frames) frame.autoOrient();
    return { frames, format };
  } catch (cause) {
    frames.dispose();
    if (cause instanceof FormatError) throw cause;
    throw new FormatError(`The image cannot be read: ${messageOf(cause)}`, { cause });
  }
};

/** Strips the source file and line from the end of the library's errors. */
export const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/ @ (?:error|warning|fatal)\/.*$/s, '').trim();
