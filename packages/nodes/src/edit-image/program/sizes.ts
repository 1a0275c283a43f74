import { FormatError } from '../../shared/file-formats/format-error';
import { MAX_PIXELS, MAX_SIDE, type ResizeOption } from './image-tasks';

/** Width and height in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** @throws FormatError if the image, or `frames` of them, exceed the size limits */
export const checkSize = ({ width, height }: Size, frames = 1): void => {
  if (!(width >= 1 && height >= 1)) throw new FormatError('Width and height of an image must be at least 1');
  if (width > MAX_SIDE || height > MAX_SIDE || width * height * frames > MAX_PIXELS)
    throw new FormatError(
      `The image has ${width} x ${height} pixels${frames > 1 ? ` in ${frames} frames` : ''}: ` +
        `at most ${MAX_PIXELS / 1e6} million in total and ${MAX_SIDE} per side are supported`,
    );
};

const fitted = (size: Size, wanted: Size, choose: (...factors: number[]) => number): Size => {
  const factor = choose(wanted.width / size.width, wanted.height / size.height);
  return rounded({ width: size.width * factor, height: size.height * factor });
};

const rounded = ({ width, height }: Size): Size => ({
  width: Math.max(1, Math.round(width)),
  height: Math.max(1, Math.round(height)),
});

/** The new size of an image of `size`, by the rules of GraphicsMagick's `-resize` with `!`, `@`, `^`, `>`, `<`, `%`. */
export const resizedTo = (size: Size, wanted: Size, option: ResizeOption): Size => {
  if (!(wanted.width > 0 && wanted.height > 0)) throw new FormatError('Width and height must be greater than 0');
  switch (option) {
    case 'ignoreAspectRatio':
      return rounded(wanted);
    case 'maximumArea': {
      const factor = Math.sqrt((wanted.width * wanted.height) / (size.width * size.height));
      const side = (length: number): number => Math.max(1, Math.floor(length * factor + 1e-9));
      return { width: side(size.width), height: side(size.height) };
    }
    case 'minimumArea':
      return fitted(size, wanted, Math.max);
    case 'onlyIfLarger':
      return size.width > wanted.width || size.height > wanted.height ? fitted(size, wanted, Math.min) : size;
    case 'onlyIfSmaller':
      return size.width < wanted.width && size.height < wanted.height ? fitted(size, wanted, Math.min) : size;
    case 'percent':
      return rounded({ width: (size.width * wanted.width) / 100, height: (size.height * wanted.height) / 100 });
  }
};
