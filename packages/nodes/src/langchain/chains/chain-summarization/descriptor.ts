import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, text } from '../../../descriptors/build-parameters';
import { withHelp } from '../../../descriptors/with-help';
import { batching, batchingHelp, MODEL } from '../../../descriptors/chain-parameters';

/** The default of the prompts for one text. */
export const SUMMARY_PROMPT = 'Summarize the text between the lines in a few sentences.\n---\n{text}\n---\nSummary:';
/** The default of the prompt that adds a text to a summary. */
export const REFINE_PROMPT = [
  'Improve a summary with more text. If the text adds nothing, repeat the summary.',
  '---',
  'Summary so far:',
  '{existing_answer}',
  '---',
  'More text:',
  '{text}',
  '---',
  'Improved summary:',
].join('\n');

const prompt = (name: string, label: string, initial: string): ParameterDescriptor =>
  text(name, label, initial, { editor: 'multiline' });

/** Summarizes the text of items. */
export const chainSummarization: KindDescriptor = {
  kind: 'langchain.chainSummarization',
  label: 'Summarization chain',
  description: 'Summarizes the text of each item by a model, in parts if it is long.',
  versions: [2, 2.1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  accepts: [MODEL],
  credentials: [],
  parameters: withHelp(
    {
      operationMode: 'Text to summarize: all strings of the item, or a file.',
      chunkingMode: 'How a long text is split.',
      chunkSize: 'Maximum number of characters of a part.',
      chunkOverlap: 'Number of characters that a part repeats of the previous part; less than the size.',
      options: 'Additional options.',
      'options.binaryDataKey': 'Field with the file: text, JSON or PDF.',
      'options.summarizationMethodAndPrompts': 'How parts are put together, and the prompts.',
      ...batchingHelp('options.'),
    },
    [
      {
        name: 'operationMode',
        label: 'Text from',
        type: 'options',
        default: 'nodeInputJson',
        options: [
          choice('nodeInputJson', 'Strings of the item'),
          choice('nodeInputBinary', 'A file of the item'),
          choice('documentLoader', 'A document loader', {
            refused: 'Document loaders are not supported yet: use the strings of the item, or a file.',
          }),
        ],
      },
      {
        name: 'chunkingMode',
        label: 'Splitting',
        type: 'options',
        default: 'simple',
        shownWhen: { operationMode: ['nodeInputJson', 'nodeInputBinary'] },
        options: [
          choice('simple', 'By size'),
          choice('advanced', 'By a text splitter', {
            refused: 'Text splitters are not supported yet: choose splitting by size.',
          }),
        ],
      },
      {
        name: 'chunkSize',
        label: 'Characters of a part',
        type: 'number',
        default: 1000,
        shownWhen: { chunkingMode: ['simple'] },
      },
      {
        name: 'chunkOverlap',
        label: 'Overlap',
        type: 'number',
        default: 200,
        shownWhen: { chunkingMode: ['simple'] },
      },
      {
        name: 'options',
        label: 'Options',
        type: 'collection',
        default: {},
        fields: [
          text('binaryDataKey', 'File field', 'data'),
          {
            name: 'summarizationMethodAndPrompts',
            label: 'Method and prompts',
            type: 'fixedCollection',
            default: {},
            groups: [
              {
                name: 'values',
                label: 'Values',
                fields: [
                  {
                    name: 'summarizationMethod',
                    label: 'Method',
                    type: 'options',
                    default: 'map_reduce',
                    options: [
                      choice('map_reduce', 'Summarize each part, then the summaries'),
                      choice('refine', 'Improve the summary part by part'),
                      choice('stuff', 'All parts at once'),
                    ],
                  },
                  prompt('combineMapPrompt', 'Prompt for a part', SUMMARY_PROMPT),
                  prompt('prompt', 'Prompt for the summary', SUMMARY_PROMPT),
                  prompt('refinePrompt', 'Prompt to improve', REFINE_PROMPT),
                  prompt('refineQuestionPrompt', 'Prompt for the first part', SUMMARY_PROMPT),
                ],
              },
            ],
          },
          batching(2.1),
        ],
      },
    ],
  ),
  differs: [
    'Tokens, which decide whether parts are summarized one by one, are estimated from the number of characters.',
    'The file is the one of the field "File field"; n8n reads all files of all items for each item.',
    'Files of other types than text, JSON and PDF are refused.',
  ],
};
