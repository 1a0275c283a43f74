import type { JsonObject } from '@weft/node-catalogue';
import { FormatError } from '../../shared/file-formats/format-error';
import type { ReadFormat } from './image-tasks';
import { readImage } from './read-image';
import { magick, type IMagickImage } from './magick';

const FORMAT_NAMES: Readonly<Record<ReadFormat, string>> = {
  avif: 'AV1 Image File Format',
  bmp: 'Microsoft Windows bitmap image',
  gif: 'CompuServe graphics interchange format',
  heic: 'High Efficiency Image Format',
  jpeg: 'Joint Photographic Experts Group JFIF format',
  png: 'Portable Network Graphics',
  tiff: 'Tagged Image File Format',
  webp: 'WebP Image Format',
};

/** Scales values of 0 to 65535 to the usual byte values. */
const WIDE = 257;

/**
 * Describes an image: the fields that GraphicsMagick's `identify` returns, for the first frame, turned upright.
 * @throws FormatError if it cannot be read
 */
export const describeImage = (bytes: Uint8Array): JsonObject => {
  const { frames, format } = readImage(bytes);
  try {
    const [image] = frames;
    if (image === undefined) throw new FormatError('The image has no frame');
    const name = format.toUpperCase();
    return {
      Format: `${name} (${FORMAT_NAMES[format]})`,
      format: name,
      Geometry: `${image.width}x${image.height}`,
      size: { width: image.width, height: image.height },
      Class: image.classType === 2 ? 'PseudoClass' : 'DirectClass',
      Type: TYPES[image.colorType] ?? 'true color',
      ...channelsOf(image),
      ...resolutionOf(image),
      Filesize: sizeText(bytes.length),
      Interlace: INTERLACES[image.interlace] ?? 'No',
      Orientation: nameIn(magick.Orientation, image.orientation, 'Unknown'),
      'Page geometry': pageText(image),
      Frames: frames.length,
      Compression: nameIn(magick.CompressionMethod, image.compression, 'Undefined'),
      ...(format === 'jpeg' ? { 'JPEG-Quality': String(image.quality) } : {}),
      Tainted: 'False',
    };
  } finally {
    frames.dispose();
  }
};

function pageText({ width, height, page }: IMagickImage): string {
  return `${page.width || width}x${page.height || height}+${page.x}+${page.y}`;
}

const TYPES: Readonly<Record<number, string>> = {
  [magick.ColorType.Bilevel]: 'bilevel',
  [magick.ColorType.Grayscale]: 'grayscale',
  [magick.ColorType.GrayscaleAlpha]: 'grayscale with transparency',
  [magick.ColorType.Palette]: 'palette',
  [magick.ColorType.PaletteAlpha]: 'palette with transparency',
  [magick.ColorType.TrueColor]: 'true color',
  [magick.ColorType.TrueColorAlpha]: 'true color with transparency',
  [magick.ColorType.ColorSeparation]: 'color separation',
  [magick.ColorType.ColorSeparationAlpha]: 'color separation with transparency',
};

const INTERLACES: Readonly<Record<number, string>> = {
  [magick.Interlace.Line]: 'Line',
  [magick.Interlace.Plane]: 'Plane',
  [magick.Interlace.Partition]: 'Partition',
  [magick.Interlace.Gif]: 'Line',
  [magick.Interlace.Jpeg]: 'Line',
  [magick.Interlace.Png]: 'Line',
};

const CHANNELS = [
  ['Red', magick.PixelChannel.Red],
  ['Green', magick.PixelChannel.Green],
  ['Blue', magick.PixelChannel.Blue],
] as const;
const GRAY = [['Gray', magick.PixelChannel.Gray]] as const;

function channelsOf(image: IMagickImage): JsonObject {
  const statistics = image.statistics();
  const isGray = image.channels.length < 3;
  const measured = [
    ...(isGray ? GRAY : CHANNELS),
    ...(image.hasAlpha ? ([['Alpha', magick.PixelChannel.Alpha]] as const) : []),
  ];
  const depth = image.determineBitDepth();
  const entries = measured.flatMap(([name, channel]) => {
    const found = statistics.getChannel(channel);
    return found === null ? [] : [[name, found] as const];
  });
  return {
    Depth: `${depth} bits-per-pixel component`,
    depth,
    'Channel Depths': Object.fromEntries(entries.map(([name, { depth: bits }]) => [name, `${bits} bits`])),
    'Channel Statistics': Object.fromEntries(
      entries.map(([name, found]) => [
        name,
        {
          Minimum: valueText(found.minimum),
          Maximum: valueText(found.maximum),
          Mean: valueText(found.mean),
          'Standard Deviation': valueText(found.standardDeviation),
        },
      ]),
    ),
  };
}

const valueText = (value: number): string => `${(value * WIDE).toFixed(2)} (${(value / 255).toFixed(4)})`;

function resolutionOf({ density: { x, y, units } }: IMagickImage): JsonObject {
  if (!(x > 0 && y > 0)) return {};
  const unit =
    units === magick.DensityUnit.PixelsPerInch
      ? ' pixels/inch'
      : units === magick.DensityUnit.PixelsPerCentimeter
        ? ' pixels/centimeter'
        : '';
  return { Resolution: `${Math.round(x)}x${Math.round(y)}${unit}` };
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return String(bytes);
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)}Ki` : `${(bytes / 1024 / 1024).toFixed(1)}Mi`;
}

const nameIn = (names: Readonly<Record<string, number>>, value: number, fallback: string): string =>
  Object.entries(names).find(([, one]) => one === value && value !== 0)?.[0] ?? fallback;
