import type { JsonObject } from '@weft/node-catalogue';

/** Maximum number of pixels of an image with all its frames, before, after and between the steps. */
export const MAX_PIXELS = 25_000_000;
/** Maximum width and height. */
export const MAX_SIDE = 16_384;
/** Maximum number of frames of an animation. */
export const MAX_FRAMES = 300;
/** Maximum number of steps of one task. */
export const MAX_STEPS = 100;

/** Formats that can be written. */
export const WRITTEN_FORMATS = ['bmp', 'gif', 'jpeg', 'png', 'tiff', 'webp'] as const;

/** A format that can be written. */
export type WrittenFormat = (typeof WRITTEN_FORMATS)[number];

/** Formats that are read only. */
export type ReadFormat = WrittenFormat | 'avif' | 'heic';

/** Ways to combine an image with one on top of it. */
export const OPERATORS = [
  ...(['Add', 'Atop', 'Bumpmap', 'Copy', 'CopyBlack', 'CopyBlue', 'CopyCyan', 'CopyGreen', 'CopyMagenta'] as const),
  ...(['CopyOpacity', 'CopyRed', 'CopyYellow', 'Difference', 'Divide', 'In', 'Minus', 'Multiply', 'Out'] as const),
  ...(['Over', 'Plus', 'Subtract', 'Xor'] as const),
] as const;

export type Operator = (typeof OPERATORS)[number];

/** How width and height of a resize are interpreted. */
export const RESIZE_OPTIONS = [
  ...(['ignoreAspectRatio', 'maximumArea', 'minimumArea', 'onlyIfLarger', 'onlyIfSmaller', 'percent'] as const),
] as const;

export type ResizeOption = (typeof RESIZE_OPTIONS)[number];

/** The position of a text relative to the image. */
export interface TextAnchor {
  readonly horizontal: 'west' | 'center' | 'east';
  readonly vertical: 'north' | 'middle' | 'south';
}

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** One change of an image. Lengths are in pixels, colours as users write them. */
export type ImageStep =
  | { readonly kind: 'blur'; readonly radius: number; readonly sigma: number }
  | ({ readonly kind: 'border'; readonly color: string } & Size)
  /** `layer`: index in the layers of the task. */
  | { readonly kind: 'composite'; readonly layer: number; readonly operator: Operator; readonly at: Point }
  | ({ readonly kind: 'create'; readonly color: string } & Size)
  | ({ readonly kind: 'crop'; readonly at: Point } & Size)
  | {
      readonly kind: 'draw';
      readonly shape: 'circle' | 'line' | 'rectangle';
      readonly color: string;
      readonly from: Point;
      readonly to: Point;
      readonly cornerRadius: number;
    }
  | ({ readonly kind: 'resize'; readonly option: ResizeOption } & Size)
  | { readonly kind: 'rotate'; readonly degrees: number; readonly color: string }
  | { readonly kind: 'shear'; readonly degreesX: number; readonly degreesY: number }
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly size: number;
      readonly color: string;
      readonly at: Point;
      readonly anchor: TextAnchor;
      readonly isBold: boolean;
      readonly isItalic: boolean;
    }
  | { readonly kind: 'transparent'; readonly color: string };

/** An image and the steps to apply. */
export interface EditImageTask {
  /** Absent if the first step creates an image. */
  readonly image?: Uint8Array;
  /** Images that steps put on top. */
  readonly layers: readonly Uint8Array[];
  readonly steps: readonly ImageStep[];
  /** Default: the format of the image; PNG if it was created or combined, or has a format that cannot be written. */
  readonly format?: WrittenFormat;
  /** 0 to 100; 75 by default. */
  readonly quality?: number;
}

export interface EditedImage {
  readonly bytes: Uint8Array;
  readonly format: WrittenFormat;
}

/** The tasks of the program that processes images. */
export interface ImageTasks {
  editImage: { readonly input: EditImageTask; readonly output: EditedImage };
  describeImage: { readonly input: { readonly image: Uint8Array }; readonly output: JsonObject };
}
