import { deserialize, serialize } from 'node:v8';
import { TaskOutOfMemory } from '@weft/sandbox/program';
import { FormatError } from '../../shared/file-formats/format-error';
import { applyStep, createImage } from './apply-step';
import { describeImage } from './describe-image';
import { loadFonts } from './fonts';
import {
  type EditedImage,
  type EditImageTask,
  type ImageStep,
  type ImageTasks,
  MAX_FRAMES,
  MAX_SIDE,
  type WrittenFormat,
  WRITTEN_FORMATS,
} from './image-tasks';
import { fileOf } from './library-files';
import { magickFormatOf, messageOf, readImage } from './read-image';
import { magick, type IMagickImageCollection } from './magick';

/** Memory limit of the library for pixels, for systems where no limit of the process applies. */
const MAX_PIXEL_BYTES = 1024n * 1024n * 1024n;
/** GraphicsMagick's default. The library would use the quality of the image that it read. */
const DEFAULT_QUALITY = 75;
/** Formats with several frames. */
const ANIMATED: readonly WrittenFormat[] = ['gif', 'tiff', 'webp'];

let loading: Promise<void> | undefined;

/** Loads the library and its fonts, once. */
export const loadImages = (): Promise<void> => (loading ??= load());

async function load(): Promise<void> {
  await magick.initializeImageMagick(fileOf('@imagemagick/magick-wasm/magick.wasm'));
  magick.ResourceLimits.width = BigInt(MAX_SIDE);
  magick.ResourceLimits.height = BigInt(MAX_SIDE);
  magick.ResourceLimits.listLength = BigInt(MAX_FRAMES + 1);
  magick.ResourceLimits.memory = MAX_PIXEL_BYTES;
  magick.ResourceLimits.disk = 0n;
  loadFonts();
}

/** Changes an image and all its frames, step by step. @throws FormatError */
export const editImage = ({ image, layers, steps, format, quality = DEFAULT_QUALITY }: EditImageTask): EditedImage => {
  const [first] = steps;
  const source = image === undefined ? undefined : readImage(image);
  const frames = source?.frames ?? magick.MagickImageCollection.create();
  try {
    if (image === undefined && first?.kind !== 'create') throw new FormatError('There is no image to change');
    for (const step of steps) applyToAll(frames, step, layers);
    const isNew = steps.some(({ kind }) => kind === 'create' || kind === 'composite');
    const own = isNew ? undefined : WRITTEN_FORMATS.find((known) => known === source?.format);
    return written(frames, format ?? own ?? 'png', quality);
  } finally {
    frames.dispose();
  }
};

function applyToAll(frames: IMagickImageCollection, step: ImageStep, layers: readonly Uint8Array[]): void {
  if (step.kind === 'create') {
    while (frames.length > 0) frames.pop()?.dispose();
    frames.push(createImage(step));
    return;
  }
  for (const frame of frames) applyStep(frame, step, layers);
}

function written(frames: IMagickImageCollection, format: WrittenFormat, quality: number): EditedImage {
  for (const frame of frames) frame.quality = quality;
  const target = magickFormatOf(format);
  const copy = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes);
  if (frames.length > 1 && ANIMATED.includes(format)) return { bytes: frames.write(target, copy), format };
  const [first] = frames;
  if (first === undefined) throw new FormatError('There is no image to write');
  return { bytes: first.write(target, copy), format };
}

/** Implementations by kind of task. */
const WORK: { readonly [Kind in keyof ImageTasks]: (input: ImageTasks[Kind]['input']) => ImageTasks[Kind]['output'] } =
  {
    editImage,
    describeImage: ({ image }) => describeImage(image),
  };

const isKind = (kind: string): kind is keyof ImageTasks => Object.hasOwn(WORK, kind);

/** The library's message for a failed allocation, and the message of a WebAssembly module that died from one. */
const OUT_OF_MEMORY = /allocation ?failed|resources ?exhausted|unable to (?:acquire|allocate)|Aborted|out of bounds/i;

/** Runs one serialized task. @throws Error for an unknown kind; TaskOutOfMemory */
export const doImageTask = async (kind: string, input: Uint8Array): Promise<Uint8Array> => {
  if (!isKind(kind)) throw new Error(`Unknown task: ${kind}`);
  await loadImages();
  return serialize(answered(kind, deserialize(input)));
};

const answered = <Kind extends keyof ImageTasks>(
  kind: Kind,
  input: ImageTasks[Kind]['input'],
): { readonly output: ImageTasks[Kind]['output'] } | { readonly error: string } => {
  try {
    return { output: WORK[kind](input) };
  } catch (error) {
    const message = messageOf(error);
    if (OUT_OF_MEMORY.test(message)) throw new TaskOutOfMemory(error);
    return { error: message };
  }
};
