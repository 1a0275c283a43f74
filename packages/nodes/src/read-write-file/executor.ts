import type { JsonObject } from '@weft/node-catalogue';
import {
  type BinaryReference,
  type NodeContext,
  type NodeExecutor,
  NodeFailure,
  output,
  withFacts,
} from '@weft/engine';
import { eachItem, type MadeItem } from '../shared/each-item';
import { booleanParameter, choiceParameter, textParameter } from '../shared/read-parameter';
import { FileFinder, readAreaFile, writeAreaFile, writesFiles } from './area-files';
import { normalizePath } from './file-path';

/** Reads and writes files of the workflow. */
export const readWriteFile: NodeExecutor = {
  kind: 'readWriteFile',
  actsOutside: writesFiles,
  run: async (context) => {
    if (choiceParameter(context, 'operation', 0, ['read', 'write']) === 'write')
      return output(await eachItem(context, (item, index) => writeAreaFile(context, item, index)));
    const finder = new FileFinder(context);
    return output(await eachItem(context, (_, index) => readMatching(context, finder, index)));
  },
};

/** Reads one file of the workflow into each item. */
export const readBinaryFile: NodeExecutor = {
  kind: 'readBinaryFile',
  actsOutside: false,
  run: async (context) =>
    output(
      await eachItem(context, async (item, index) => {
        const path = normalizePath(textParameter(context, 'filePath', index), index);
        const file = await readAreaFile(context, path, index);
        return [{ json: item.json, binary: { ...item.binary, [fieldOf(context, index)]: file } }];
      }),
    ),
};

/** Reads all files of the workflow that match a pattern, once for all items. */
export const readBinaryFiles: NodeExecutor = {
  kind: 'readBinaryFiles',
  actsOutside: false,
  run: async (context) => {
    const paths = await new FileFinder(context).find(textParameter(context, 'fileSelector', 0), 0, 'syntax');
    const pairedItem = context.items.map((_, item) => ({ item }));
    const items = [];
    for (const path of paths)
      items.push({ json: {}, binary: { [fieldOf(context, 0)]: await readAreaFile(context, path, 0) }, pairedItem });
    return output(items);
  },
};

/** Writes the file of each item to the files of the workflow. */
export const writeBinaryFile: NodeExecutor = {
  kind: 'writeBinaryFile',
  actsOutside: true,
  run: async (context) => output(await eachItem(context, (item, index) => writeAreaFile(context, item, index))),
};

async function readMatching(context: NodeContext, finder: FileFinder, index: number): Promise<MadeItem[]> {
  const selector = textParameter(context, 'fileSelector', index);
  const isLiteral = booleanParameter(context, 'options.literalBrackets', index);
  const paths = await finder.find(selector, index, isLiteral ? 'literal' : 'syntax');
  if (paths.length === 0 && context.version > 1)
    throw new NodeFailure('No file(s) found', {
      itemIndex: index,
      description: `No file of the workflow matches "${selector}". Its runs see only files that they have written.`,
    });
  const made: MadeItem[] = [];
  for (const path of paths) {
    const file = renamed(context, await readAreaFile(context, path, index), index);
    const field = textParameter(context, 'options.dataPropertyName', index);
    made.push({ json: shown(file), binary: { [field === '' ? 'data' : field]: file } });
  }
  return made;
}

/** The metadata of a file in an item. */
function shown({ id: _id, bytes: _bytes, ...facts }: BinaryReference): JsonObject {
  return facts;
}

/** The file with the metadata that the node sets. */
function renamed(context: NodeContext, file: BinaryReference, index: number): BinaryReference {
  const given = (name: 'fileName' | 'fileExtension' | 'mimeType') => {
    const value = textParameter(context, `options.${name}`, index);
    return value === '' ? {} : { [name]: value };
  };
  return withFacts(file, { ...given('fileName'), ...given('fileExtension'), ...given('mimeType') });
}

function fieldOf(context: NodeContext, index: number): string {
  const field = textParameter(context, 'dataPropertyName', index);
  if (field === '') throw new NodeFailure('The parameter "dataPropertyName" is empty.', { itemIndex: index });
  return field;
}
