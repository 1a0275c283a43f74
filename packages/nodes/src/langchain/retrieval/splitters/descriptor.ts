import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, text } from '../../../descriptors/build-parameters';
import { number, optionsOf } from '../../models/descriptor-parts';
import { CODE_LANGUAGES } from './descriptor-languages';

const CHUNK_SIZE = number('chunkSize', 'Chunk size', 1_000, 'Maximum length of a chunk, in characters.');
const CHUNK_OVERLAP = number(
  'chunkOverlap',
  'Chunk overlap',
  0,
  'Characters that a chunk repeats of the previous one. Less than the chunk size.',
);

/** A sub-node that splits strings. @param kind the name without its prefix */
const splitterKind = (
  kind: string,
  facts: Pick<KindDescriptor, 'label' | 'description' | 'differs'>,
  parameters: readonly ParameterDescriptor[],
): KindDescriptor => ({
  kind: `langchain.${kind}`,
  versions: [1],
  groups: ['transform'],
  isTrigger: false,
  inputs: [],
  outputs: [],
  provides: [{ type: 'ai_textSplitter' }],
  credentials: [],
  ...facts,
  parameters,
});

export const textSplitterRecursiveCharacterTextSplitter = splitterKind(
  'textSplitterRecursiveCharacterTextSplitter',
  {
    label: 'Recursive Character Text Splitter',
    description: 'Splits strings between paragraphs, lines, words or characters, the best that fits.',
    differs: ['A text has at most 10,000 chunks.'],
  },
  [
    CHUNK_SIZE,
    CHUNK_OVERLAP,
    {
      ...optionsOf({
        name: 'splitCode',
        label: 'Split code',
        type: 'options',
        default: 'markdown',
        help: 'Splits between the parts of a language first.',
        options: CODE_LANGUAGES.map((language) => choice(language, language)),
      }),
      help: 'Additional options.',
    },
  ],
);

export const textSplitterCharacterTextSplitter = splitterKind(
  'textSplitterCharacterTextSplitter',
  {
    label: 'Character Text Splitter',
    description: 'Splits strings at a separator, and joins the pieces to chunks.',
    differs: ['A text has at most 10,000 chunks. A piece longer than a chunk is a chunk.'],
  },
  [
    { ...text('separator', 'Separator'), help: 'Where strings are split; empty to split between characters.' },
    CHUNK_SIZE,
    CHUNK_OVERLAP,
  ],
);

export const textSplitterTokenSplitter = splitterKind(
  'textSplitterTokenSplitter',
  {
    label: 'Token Splitter',
    description: 'Splits strings by the number of tokens.',
    differs: ['A token is taken as four characters, and strings are split between words where possible.'],
  },
  [
    { ...CHUNK_SIZE, help: 'Maximum length of a chunk, in tokens.' },
    { ...CHUNK_OVERLAP, help: 'Tokens that a chunk repeats of the previous one. Less than the chunk size.' },
  ],
);
