import { type BinaryReference, type Item, type NodeContext, type NodeExecutor, output } from '@weft/engine';
import { eachItem, type MadeItem, madeItem } from '../shared/each-item';
import { runFormatTask } from '../shared/file-formats/run-format-task';
import { loadFile } from '../shared/files/item-files';
import { choiceParameter, numberParameter, textParameter } from '../shared/read-parameter';
import { type WrittenFormat, WRITTEN_FORMATS } from './program/image-tasks';
import { readSteps } from './read-steps';

/** MIME type and file extension of each format. */
const FILE_TYPES: Readonly<Record<WrittenFormat, readonly [mimeType: string, extension: string]>> = {
  bmp: ['image/bmp', 'bmp'],
  gif: ['image/gif', 'gif'],
  jpeg: ['image/jpeg', 'jpg'],
  png: ['image/png', 'png'],
  tiff: ['image/tiff', 'tif'],
  webp: ['image/webp', 'webp'],
};

/** Changes, creates and describes images in the processes for untrusted data. Other files of an item are kept. */
export const editImage: NodeExecutor = {
  kind: 'editImage',
  actsOutside: false,
  run: async (context) =>
    output(
      await eachItem(context, async (item, index) => [
        textParameter(context, 'operation', index) === 'information'
          ? await describe(context, item, index)
          : await edit(context, item, index),
      ]),
    ),
};

const fieldOf = (context: NodeContext, index: number): string =>
  textParameter(context, 'dataPropertyName', index) || 'data';

async function describe(context: NodeContext, item: Item, index: number): Promise<MadeItem> {
  const { bytes } = await loadFile(context, index, fieldOf(context, index));
  return madeItem(await runFormatTask(context, 'describeImage', { image: bytes }), item.binary);
}

async function edit(context: NodeContext, item: Item, index: number): Promise<MadeItem> {
  const { steps, layers } = readSteps(context, index);
  const field = fieldOf(context, index);
  const isNew = steps[0]?.kind === 'create';
  const image = isNew ? undefined : (await loadFile(context, index, field)).bytes;
  const loaded: Uint8Array[] = [];
  for (const layer of layers) loaded.push((await loadFile(context, index, layer)).bytes);
  const format =
    textParameter(context, 'options.format', index) === ''
      ? undefined
      : choiceParameter(context, 'options.format', index, WRITTEN_FORMATS);
  const made = await runFormatTask(context, 'editImage', {
    layers: loaded,
    steps,
    ...(image === undefined ? {} : { image }),
    ...(format === undefined ? {} : { format }),
    ...qualityOf(context, index),
  });
  const target = textParameter(context, 'options.destinationKey', index) || field;
  const replaced = item.binary !== undefined && Object.hasOwn(item.binary, target) ? item.binary[target] : undefined;
  const [mimeType, fileExtension] = FILE_TYPES[made.format];
  const fileName = textParameter(context, 'options.fileName', index) || renamed(replaced, format);
  const reference = await context.ports.files.store(made.bytes, {
    mimeType,
    fileExtension,
    ...(fileName === undefined ? {} : { fileName }),
  });
  return { json: item.json, binary: { ...item.binary, [target]: reference } };
}

function qualityOf(context: NodeContext, index: number): { readonly quality?: number } {
  const given = context.parameter('options.quality', index);
  if (given === undefined || given === null || given === '') return {};
  return { quality: Math.min(100, Math.max(0, Math.round(numberParameter(context, 'options.quality', index)))) };
}

/** The name of the replaced file, with the extension of the selected format. */
function renamed(replaced: BinaryReference | undefined, format: WrittenFormat | undefined): string | undefined {
  const name = replaced?.fileName;
  if (format === undefined || name?.includes('.') !== true) return name;
  return `${name.slice(0, name.lastIndexOf('.'))}.${format}`;
}
