import type { ParameterDescriptor } from '@weft/node-catalogue';
import { choice, text } from '../../descriptors/build-parameters';
import { flag, FREQUENCY_PENALTY, number, PRESENCE_PENALTY, TOP_P } from '../models/descriptor-parts';
import { messages, MODEL_ID, of, ROUNDS, SIMPLIFY, SKIPS_EMPTY } from '../vendor/descriptor-parts';

const MESSAGES = messages([choice('user', 'User'), choice('model', 'Model')], SKIPS_EMPTY);

const coordinate = (name: string, label: string): ParameterDescriptor => ({
  ...number(name, label, 0, 'In degrees.'),
  default: '',
});

const BUILT_IN_TOOLS: ParameterDescriptor = {
  name: 'builtInTools',
  label: 'Built-in tools',
  type: 'collection',
  default: {},
  since: 1.1,
  help: 'Tools that the service runs itself.',
  fields: [
    flag('googleSearch', 'Google search', true, 'If on, the model may search the web.'),
    {
      name: 'googleMaps',
      label: 'Google Maps',
      type: 'collection',
      default: {},
      help: 'The model may look up places, near this one if it is given.',
      fields: [coordinate('latitude', 'Latitude'), coordinate('longitude', 'Longitude')],
    },
    flag('urlContext', 'Read addresses', true, 'If on, the model may read pages that the prompt names.'),
    {
      name: 'fileSearch',
      label: 'File search',
      type: 'collection',
      default: {},
      help: 'The model may search in file stores of the account.',
      fields: [
        {
          name: 'fileSearchStoreNames',
          label: 'File stores',
          type: 'json',
          default: '[]',
          editor: 'json',
          help: 'A JSON list of their names.',
        },
        text('metadataFilter', 'Filter', '', { help: 'Limits the search by fields of the documents.' }),
      ],
    },
    flag('codeExecution', 'Code', true, 'If on, the model may run code at the service. Some models can do that.'),
  ],
};

/** Parameters of the operation `message`. */
export const MESSAGE: readonly ParameterDescriptor[] = of(
  'text',
  ['message'],
  [
    { ...MODEL_ID, until: 1.1 },
    { ...MODEL_ID, default: { __rl: true, mode: 'list', value: 'models/gemini-3-flash-preview' }, since: 1.2 },
    MESSAGES,
    SIMPLIFY('If on, an item for each answer of the model; otherwise the whole response.'),
    flag('jsonOutput', 'JSON', false, 'If on, the model answers with JSON. The answer stays text.'),
    BUILT_IN_TOOLS,
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      help: 'One that is not set is not sent: the service has its own defaults.',
      fields: [
        {
          ...flag('includeMergedResponse', 'Merged text', false, 'If on, `mergedResponse` has all text of an answer.'),
          since: 1.1,
        },
        text('systemMessage', 'System message', '', { help: 'How the model should behave.' }),
        { ...flag('codeExecution', 'Code', false, 'If on, the model may run code at the service.'), until: 1 },
        FREQUENCY_PENALTY,
        number('maxOutputTokens', 'Maximum number of tokens', 16, 'Of the response.'),
        number('candidateCount', 'Answers', 1, 'Number of answers to each prompt, at most 8.'),
        PRESENCE_PENALTY,
        number('temperature', 'Sampling temperature', 1, '0 gives the most predictable text.'),
        TOP_P,
        number('topK', 'Top K', 1, 'Number of tokens to choose from.'),
        number('thinkingBudget', 'Tokens for thinking', -1, '0 turns it off; -1 leaves it to the model.'),
        ROUNDS,
      ],
    },
  ],
);
