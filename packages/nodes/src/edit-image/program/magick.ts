import { createRequire } from 'node:module';
import type * as Magick from '@imagemagick/magick-wasm' with { 'resolution-mode': 'import' };

export type {
  Gravity,
  IDrawable,
  IMagickColor,
  IMagickImage,
  IMagickImageCollection,
  MagickFormat,
} from '@imagemagick/magick-wasm' with { 'resolution-mode': 'import' };

/** ImageMagick as WebAssembly. Its types are those of an ES module, so it is not imported as usual. */
export const magick: typeof Magick = createRequire(__filename)('@imagemagick/magick-wasm');
