import type { KindDescriptor } from '@weft/node-catalogue';
import { text } from '../../../descriptors/build-parameters';
import { withHelp } from '../../../descriptors/with-help';

/** Splits the answer of a model into a list. */
export const outputParserItemList: KindDescriptor = {
  kind: 'langchain.outputParserItemList',
  label: 'Item list output parser',
  description: 'Makes a model answer with a list, one string for each entry.',
  versions: [1],
  groups: ['transform'],
  isTrigger: false,
  inputs: [],
  outputs: [],
  provides: [{ type: 'ai_outputParser' }],
  credentials: [],
  parameters: withHelp(
    {
      options: 'Additional options.',
      'options.numberOfItems': 'Number of entries; -1 for any number. Fewer fail the node, more are cut off.',
      'options.separator': 'String between two entries. `\\n` is the end of a line.',
    },
    [
      {
        name: 'options',
        label: 'Options',
        type: 'collection',
        default: {},
        fields: [
          { name: 'numberOfItems', label: 'Number of items', type: 'number', default: 3 },
          text('separator', 'Separator', '\\n'),
        ],
      },
    ],
  ),
  differs: ['A separator is required: an empty one fails the node, where n8n splits into single characters.'],
};
