import { FormatError } from '../../shared/file-formats/format-error';
import { blendBytes } from './blend';
import { colorOf } from './colors';
import { fontNameOf } from './fonts';
import type { ImageStep, TextAnchor } from './image-tasks';
import { readImage } from './read-image';
import { checkSize, resizedTo, type Size } from './sizes';
import { magick, type Gravity, type IDrawable, type IMagickImage } from './magick';

type StepOf<Kind extends ImageStep['kind']> = Extract<ImageStep, { readonly kind: Kind }>;

/** Changes one frame; `layers` are the images that steps put on top. @throws FormatError */
export const applyStep = (
  image: IMagickImage,
  step: Exclude<ImageStep, { kind: 'create' }>,
  layers: readonly Uint8Array[],
): void => {
  switch (step.kind) {
    case 'blur':
      return image.blur(step.radius, step.sigma || 1);
    case 'border':
      return addBorder(image, step);
    case 'composite':
      return combine(image, step, layers[step.layer] ?? new Uint8Array());
    case 'crop':
      return crop(image, step);
    case 'draw':
      return image.draw([new magick.DrawableFillColor(colorOf(step.color)), shapeOf(step)]);
    case 'resize': {
      const size = resizedTo(image, step, step.option);
      checkSize(size);
      if (size.width === image.width && size.height === image.height) return;
      const geometry = new magick.MagickGeometry(size.width, size.height);
      geometry.ignoreAspectRatio = true;
      return image.resize(geometry);
    }
    case 'rotate':
      return rotate(image, step);
    case 'shear':
      return shear(image, step);
    case 'text':
      return image.draw([
        new magick.DrawableFillColor(colorOf(step.color)),
        new magick.DrawableFontPointSize(step.size),
        new magick.DrawableFont(fontNameOf(step)),
        new magick.DrawableGravity(gravityOf(step.anchor)),
        new magick.DrawableText(step.at.x, step.at.y, step.text),
      ]);
    case 'transparent':
      image.alpha(magick.AlphaAction.Set);
      return image.transparent(colorOf(step.color));
  }
};

/** Creates an image of one colour. @throws FormatError */
export const createImage = ({ width, height, color }: StepOf<'create'>): IMagickImage => {
  checkSize({ width, height });
  return magick.MagickImage.create(colorOf(color), width, height);
};

/** Adds a border around the image; transparent areas stay transparent. */
function addBorder(image: IMagickImage, { width, height, color }: StepOf<'border'>): void {
  if (width < 0 || height < 0) throw new FormatError('Width and height of a border must not be negative');
  const size = { width: image.width + 2 * width, height: image.height + 2 * height };
  checkSize(size);
  image.compose = magick.CompositeOperator.Copy;
  image.borderColor = colorOf(color);
  if (image.borderColor.a < 255) image.alpha(magick.AlphaAction.Set);
  image.border(width, height);
  image.resetPage();
}

function crop(image: IMagickImage, { width, height, at: { x, y } }: StepOf<'crop'>): void {
  const left = Math.max(0, x);
  const top = Math.max(0, y);
  const size = { width: Math.min(image.width, x + width) - left, height: Math.min(image.height, y + height) - top };
  if (size.width < 1 || size.height < 1)
    throw new FormatError(`The area to crop lies outside the image, which has ${image.width} x ${image.height} pixels`);
  image.crop(new magick.MagickGeometry(left, top, size.width, size.height));
  image.resetPage();
}

function shapeOf({ shape, from, to, cornerRadius: radius }: StepOf<'draw'>): IDrawable {
  switch (shape) {
    case 'circle':
      return circleAround(from, Math.hypot(to.x - from.x, to.y - from.y));
    case 'line':
      return new magick.DrawableLine(from.x, from.y, to.x, to.y);
    case 'rectangle':
      return radius > 0
        ? new magick.DrawableRoundRectangle(from.x, from.y, to.x, to.y, radius, radius)
        : new magick.DrawableRectangle(from.x, from.y, to.x, to.y);
  }
}

/** The library has no circle: this draws a square with corners of maximum radius. */
const circleAround = ({ x, y }: { readonly x: number; readonly y: number }, radius: number): IDrawable =>
  new magick.DrawableRoundRectangle(x - radius, y - radius, x + radius, y + radius, radius, radius);

function rotate(image: IMagickImage, { degrees, color }: StepOf<'rotate'>): void {
  const angle = (degrees * Math.PI) / 180;
  const [sin, cos] = [Math.abs(Math.sin(angle)), Math.abs(Math.cos(angle))];
  const turned = {
    width: Math.round(image.width * cos + image.height * sin),
    height: Math.round(image.width * sin + image.height * cos),
  };
  checkSize(turned);
  const background = colorOf(color);
  if (background.a < 255) image.alpha(magick.AlphaAction.Set);
  image.backgroundColor = background;
  image.rotate(degrees);
  fitTo(image, turned);
}

/** Moves rows by the tangent of half the angle, as GraphicsMagick does, and then columns by the full tangent. */
function shear(image: IMagickImage, { degreesX, degreesY }: StepOf<'shear'>): void {
  const along = Math.tan((degreesX * Math.PI) / 360);
  const down = Math.tan((degreesY * Math.PI) / 180);
  const scaleY = 1 - down * along;
  const sheared = {
    width: Math.round(image.width + image.height * Math.abs(along)),
    height: Math.round(image.width * Math.abs(down) + image.height * Math.abs(scaleY)),
  };
  checkSize(sheared);
  image.alpha(magick.AlphaAction.Set);
  image.backgroundColor = new magick.MagickColor(0, 0, 0, 0);
  image.virtualPixelMethod = magick.VirtualPixelMethod.Background;
  const settings = new magick.DistortSettings(magick.DistortMethod.AffineProjection);
  settings.bestFit = true;
  image.distort(settings, [1, down, -along, scaleY, 0, 0]);
  fitTo(image, sheared);
}

/** The library leaves a margin of a pixel or two around a rotated image. */
function fitTo(image: IMagickImage, { width, height }: Size): void {
  image.resetPage();
  if (image.width === width && image.height === height) return;
  image.extent(width, height, magick.Gravity.Center);
  image.resetPage();
}

const ROWS = {
  north: { west: magick.Gravity.Northwest, center: magick.Gravity.North, east: magick.Gravity.Northeast },
  middle: { west: magick.Gravity.West, center: magick.Gravity.Center, east: magick.Gravity.East },
  south: { west: magick.Gravity.Southwest, center: magick.Gravity.South, east: magick.Gravity.Southeast },
} as const;

const gravityOf = ({ horizontal, vertical }: TextAnchor): Gravity => ROWS[vertical][horizontal];

/** Puts the first frame of another image on top, where they overlap. */
function combine(image: IMagickImage, { operator, at }: StepOf<'composite'>, layer: Uint8Array): void {
  const { frames } = readImage(layer);
  try {
    const [upper] = frames;
    if (upper === undefined) return;
    const left = Math.max(0, Math.round(at.x));
    const top = Math.max(0, Math.round(at.y));
    const width = Math.min(image.width, Math.round(at.x) + upper.width) - left;
    const height = Math.min(image.height, Math.round(at.y) + upper.height) - top;
    if (width < 1 || height < 1) return;
    const made = blendBytes(
      operator,
      bytesOf(upper, left - Math.round(at.x), top - Math.round(at.y), { width, height }),
      bytesOf(image, left, top, { width, height }),
      upper.hasAlpha,
    );
    const settings = new magick.MagickReadSettings({ format: magick.MagickFormat.Rgba, width, height });
    settings.depth = 8;
    const blended = magick.MagickImage.create(made, settings);
    try {
      image.alpha(magick.AlphaAction.Set);
      image.composite(blended, magick.CompositeOperator.Copy, new magick.Point(left, top));
    } finally {
      blended.dispose();
    }
  } finally {
    frames.dispose();
  }
}

const bytesOf = (image: IMagickImage, x: number, y: number, { width, height }: Size): Uint8Array =>
  image.getPixels((pixels) => pixels.toByteArray(x, y, width, height, 'RGBA')) ?? new Uint8Array(width * height * 4);
