import type { KindDescriptor } from '@weft/node-catalogue';
import { choice, flag, text } from '../../../descriptors/build-parameters';
import { withHelp } from '../../../descriptors/with-help';
import { batching, batchingHelp, MODEL, systemPrompt } from '../../../descriptors/chain-parameters';

/** The default of the system prompt. */
export const CLASSIFY_PROMPT =
  'Decide to which of these categories the text that the user sends belongs: {categories}. Do not explain it.';

/** Sends items to outputs by the category of their text. */
export const textClassifier: KindDescriptor = {
  kind: 'langchain.textClassifier',
  label: 'Text classifier',
  description: 'Sends each item to the output of the category that a model chooses for its text.',
  versions: [1, 1.1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['category 1'],
  ports: [{ outputsBy: 'categories.categories' }],
  accepts: [MODEL],
  credentials: [],
  parameters: withHelp(
    {
      inputText: 'Text to classify.',
      categories: 'Categories in order; each has an output.',
      options: 'Additional options.',
      'categories.categories.description': 'Tells the model when the category applies.',
      'options.multiClass': 'Lets the model choose several categories; the item is sent to each of their outputs.',
      'options.fallback': 'Output for items without a category, if any.',
      'options.systemPromptTemplate': 'Tells the model what to do. `{categories}` are the names of the categories.',
      'options.enableAutoFixing': 'If an answer does not fit, the model is asked once to correct it.',
      ...batchingHelp('options.'),
    },
    [
      text('inputText', 'Text', '', { editor: 'multiline', required: true }),
      {
        name: 'categories',
        label: 'Categories',
        type: 'fixedCollection',
        multiple: true,
        default: {},
        groups: [
          {
            name: 'categories',
            label: 'Category',
            fields: [text('category', 'Category'), text('description', 'Description')],
          },
        ],
      },
      {
        name: 'options',
        label: 'Options',
        type: 'collection',
        default: {},
        fields: [
          flag('multiClass', 'Several categories'),
          {
            name: 'fallback',
            label: 'Without a category',
            type: 'options',
            default: 'discard',
            options: [choice('discard', 'Leave the item out'), choice('other', 'Send it to the output "Other"')],
          },
          systemPrompt(CLASSIFY_PROMPT),
          flag('enableAutoFixing', 'Correct answers'),
          batching(1.1),
        ],
      },
    ],
  ),
  differs: ['With the output "Other", an item for which the model chooses nothing at all is sent there too.'],
};
