import type { KindDescriptor } from '@weft/node-catalogue';
import { flag, text } from '../../../descriptors/build-parameters';
import { withHelp } from '../../../descriptors/with-help';
import { batching, batchingHelp, MODEL, systemPrompt } from '../../../descriptors/chain-parameters';

/** The default of the categories. */
export const SENTIMENTS = 'Positive, Neutral, Negative';
/** The default of the system prompt. */
export const SENTIMENT_PROMPT = [
  'Judge the sentiment of the text that the user sends. Choose one of these categories: {categories}.',
  'Strength says how strong the sentiment is, and confidence how sure you are, each from 0 to 1. Do not explain it.',
].join('\n');

/** Sends items to outputs by the sentiment of their text. */
export const sentimentAnalysis: KindDescriptor = {
  kind: 'langchain.sentimentAnalysis',
  label: 'Sentiment analysis',
  description: 'Sends each item to the output of the sentiment that a model sees in its text.',
  versions: [1, 1.1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['Positive', 'Neutral', 'Negative'],
  ports: [{ outputsBy: 'options.categories' }],
  accepts: [MODEL],
  credentials: [],
  parameters: withHelp(
    {
      inputText: 'Text to judge.',
      options: 'Additional options.',
      'options.categories': 'Comma-separated sentiments; each has an output.',
      'options.systemPromptTemplate': 'Tells the model what to do. `{categories}` are the sentiments.',
      'options.includeDetailedResults': 'Adds `strength` and `confidence` to `sentimentAnalysis`. They are estimates.',
      'options.enableAutoFixing': 'If an answer does not fit, the model is asked once to correct it.',
      ...batchingHelp('options.'),
    },
    [
      text('inputText', 'Text', '', { editor: 'multiline', required: true }),
      {
        name: 'options',
        label: 'Options',
        type: 'collection',
        default: {},
        fields: [
          text('categories', 'Sentiments', SENTIMENTS, { fixed: true }),
          systemPrompt(SENTIMENT_PROMPT),
          flag('includeDetailedResults', 'Details'),
          flag('enableAutoFixing', 'Correct answers'),
          batching(1.1),
        ],
      },
    ],
  ),
  differs: ['A failure says why the answer of the model does not fit.'],
};
