import { lookup } from 'mime-types';
import {
  type AreaEntry,
  type BinaryReference,
  type Item,
  type NodeContext,
  NodeFailure,
  type NodeShape,
} from '@weft/engine';
import { plainValue, type JsonObject } from '@weft/node-catalogue';
import { madeItem, type MadeItem } from '../shared/each-item';
import { loadFile, storeFile } from '../shared/files/item-files';
import { nodeRunOperation } from '../shared/persistent-state/node-key';
import { booleanParameter, textParameter } from '../shared/read-parameter';
import { normalizePath, normalizePattern } from './file-path';
import { parseGlob } from './glob';

/** Default MIME type. */
const DEFAULT_TYPE = 'text/plain';

/** Finds files of the workflow by patterns. The area is listed once per node run. */
export class FileFinder {
  readonly #context: NodeContext;
  #listed: Promise<readonly AreaEntry[]> | undefined;

  constructor(context: NodeContext) {
    this.#context = context;
  }

  /** Matching paths in order. @throws NodeFailure for an unsupported pattern */
  async find(selector: string, itemIndex: number, brackets: 'literal' | 'syntax'): Promise<string[]> {
    const glob = parseGlob(normalizePattern(selector, itemIndex), brackets);
    const found: string[] = [];
    for (const { path } of await (this.#listed ??= this.#context.ports.fileArea.list())) {
      await this.#context.pause();
      if (glob.matches(path)) found.push(path);
    }
    return found;
  }
}

/** Copies a file of the workflow to the files of the run. @throws NodeFailure if it does not exist */
export async function readAreaFile(
  { ports }: Pick<NodeContext, 'ports'>,
  path: string,
  itemIndex: number,
): Promise<BinaryReference> {
  const bytes = await ports.fileArea.read(path);
  if (bytes === undefined)
    throw new NodeFailure(`The workflow has no file "${path}"`, {
      itemIndex,
      description: 'Its runs see only files that they have written: write it first.',
    });
  const name = path.slice(path.lastIndexOf('/') + 1);
  return storeFile(ports.files, bytes, name, lookup(name) || DEFAULT_TYPE);
}

/** Writes the file of an item to the path in `fileName` and adds the path to the item. @throws NodeFailure */
export async function writeAreaFile(context: NodeContext, item: Item, index: number): Promise<MadeItem[]> {
  const given = textParameter(context, 'fileName', index);
  const path = normalizePath(given, index);
  const { bytes } = await loadFile(context, index, textParameter(context, 'dataPropertyName', index));
  await context.ports.fileArea.write({
    path,
    bytes,
    append: booleanParameter(context, 'options.append', index),
    operation: nodeRunOperation(context),
    seq: index,
  });
  const json: JsonObject = { ...item.json, fileName: given };
  return [madeItem(json, item.binary)];
}

/** True if the node may write. */
export function writesFiles(shape: NodeShape): boolean {
  const operation = plainValue(shape.rawParameter('operation'));
  return operation !== undefined && operation !== 'read';
}
