import { type NodeContext, NodeFailure } from '@weft/engine';
import type { Json } from '@weft/node-catalogue';
import { parseJson } from '@weft/service-kit/json';
import { runFormatTask } from '../../../shared/file-formats/run-format-task';
import { decodeBytes, guessEncoding } from '../../../shared/files/decode-bytes';
import { loadFile } from '../../../shared/files/item-files';
import { choiceParameter, textParameter } from '../../../shared/read-parameter';
import { stringsIn } from '../../shared/strings-in';

/** Characters of all strings of an item. */
const MAX_CHARACTERS = 4_194_304;

/**
 * The strings to summarize: those of an item, or of a file.
 * @throws NodeFailure if there are none, for files of other types, and beyond the limit
 */
export async function loadTexts(context: NodeContext, itemIndex: number): Promise<string[]> {
  const mode = choiceParameter(context, 'operationMode', itemIndex, ['nodeInputJson', 'nodeInputBinary']);
  const texts =
    mode === 'nodeInputJson' ? stringsIn(context.items[itemIndex]?.json ?? {}) : await textsOfFile(context, itemIndex);
  const characters = texts.reduce((sum, one) => sum + one.length, 0);
  if (characters > MAX_CHARACTERS)
    throw new NodeFailure(`The text has ${characters} characters; at most ${MAX_CHARACTERS} can be summarized`, {
      itemIndex,
    });
  if (texts.some((one) => one.trim() !== '')) return texts;
  throw new NodeFailure('There is no text to summarize', {
    itemIndex,
    description: mode === 'nodeInputJson' ? 'The item has no strings.' : 'The file has no text.',
  });
}

async function textsOfFile(context: NodeContext, itemIndex: number): Promise<string[]> {
  const field = textParameter(context, 'options.binaryDataKey', itemIndex, 'data');
  const { reference, bytes } = await loadFile(context, itemIndex, field);
  const { mimeType } = reference;
  if (mimeType === 'application/pdf') {
    const { text } = await runFormatTask(context, 'readPdf', { bytes, joinPages: true });
    return [typeof text === 'string' ? text : ''];
  }
  if (mimeType === 'application/json') return stringsIn(jsonOf(bytes, field, itemIndex));
  if (mimeType.startsWith('text/')) return [decodeBytes(bytes, guessEncoding(bytes, { contentType: mimeType }), true)];
  throw new NodeFailure(`The file in "${field}" has the type ${mimeType}, which cannot be summarized`, {
    itemIndex,
    description: 'Use a text, JSON or PDF file, or the node Extract from File before this one.',
  });
}

function jsonOf(bytes: Uint8Array, field: string, itemIndex: number): Json {
  try {
    return parseJson(Buffer.from(bytes));
  } catch (thrown) {
    throw new NodeFailure(`The file in "${field}" is not JSON that can be read`, { itemIndex, cause: thrown });
  }
}
