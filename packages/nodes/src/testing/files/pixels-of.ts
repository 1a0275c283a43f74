import { magick } from '../../edit-image/program/magick';
import { loadImages } from '../../edit-image/program/image-work';

/** Red, green, blue and alpha of each pixel of an image, by row. */
export const pixelsOf = async (bytes: Uint8Array): Promise<number[][][]> => {
  await loadImages();
  return magick.ImageMagick.read(bytes, (image) => {
    const { width, height } = image;
    const all = image.getPixels((pixels) => pixels.toByteArray(0, 0, width, height, 'RGBA')) ?? new Uint8Array();
    return Array.from({ length: height }, (_, y) =>
      Array.from({ length: width }, (__, x) => [...all.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)]),
    );
  });
};
