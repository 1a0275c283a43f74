import { type NodeExecutor, NodeFailure, type SupplyContext, type TextSplitter } from '@weft/engine';
import { numberParameter, textParameter } from '../../../shared/read-parameter';
import { storedText } from '../../models/stored-text';
import { subNodeOnly } from '../../parsers/sub-node-only';
import { type PartSizes, splitText } from '../../shared/split-text';
import { codeSeparators } from './descriptor-languages';
import { splitAtSeparator } from './split-at-separator';

/** Characters of a text, and of all its parts, that a record shows. */
const MAX_RECORDED = 64 * 1024;
const CHARACTERS_PER_TOKEN = 4;

/** Splits a text of which the parameters have been read. */
type Split = (text: string) => string[];

/** A sub-node that splits strings. @param read reads its parameters */
const splitterExecutor = (kind: string, read: (context: SupplyContext) => Split): NodeExecutor => ({
  kind: `langchain.${kind}`,
  actsOutside: false,
  run: subNodeOnly,
  supplies: { ai_textSplitter: (context) => recordedSplitter(context, read(context)) },
});

function recordedSplitter(context: SupplyContext, split: Split): TextSplitter {
  return {
    split: (text) =>
      context.record({ textSplitter: storedText(text, MAX_RECORDED) }, async () => {
        const result = split(text);
        const share = Math.max(100, Math.floor(MAX_RECORDED / Math.max(1, result.length)));
        return { result, output: { response: result.slice(0, 500).map((part) => storedText(part, share)) } };
      }),
  };
}

/** @throws NodeFailure that names the parameter */
function sizesOf(context: SupplyContext, factor = 1): PartSizes {
  const { itemIndex } = context;
  const size = Math.floor(numberParameter(context, 'chunkSize', itemIndex));
  const overlap = Math.floor(numberParameter(context, 'chunkOverlap', itemIndex));
  if (size < 1) throw new NodeFailure(`"Chunk size" of "${context.node.name}" must be at least 1`, { itemIndex });
  if (overlap < 0 || overlap >= size)
    throw new NodeFailure(
      `"Chunk overlap" of "${context.node.name}" must be from 0 to less than the chunk size, ${size}`,
      { itemIndex },
    );
  return { size: size * factor, overlap: overlap * factor };
}

export const textSplitterRecursiveCharacterTextSplitter = splitterExecutor(
  'textSplitterRecursiveCharacterTextSplitter',
  (context) => {
    const sizes = sizesOf(context);
    const separators = codeSeparators(textParameter(context, 'options.splitCode', context.itemIndex));
    return (text) => splitText(text, sizes, separators);
  },
);

export const textSplitterCharacterTextSplitter = splitterExecutor('textSplitterCharacterTextSplitter', (context) => {
  const sizes = sizesOf(context);
  const separator = textParameter(context, 'separator', context.itemIndex);
  return (text) => splitAtSeparator(text, separator, sizes);
});

export const textSplitterTokenSplitter = splitterExecutor('textSplitterTokenSplitter', (context) => {
  const sizes = sizesOf(context, CHARACTERS_PER_TOKEN);
  return (text) => splitText(text, sizes);
});
