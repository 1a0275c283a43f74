import type { KindDescriptor } from '@weft/node-catalogue';
import { withHelp } from '../../../descriptors/with-help';
import { FIX_PROMPT } from '../descriptor-texts';

/** Asks a model to correct answers that another parser refuses. */
export const outputParserAutofixing: KindDescriptor = {
  kind: 'langchain.outputParserAutofixing',
  label: 'Auto-fixing output parser',
  description: 'Asks a model once to correct an answer that another parser refuses.',
  versions: [1],
  groups: ['transform'],
  isTrigger: false,
  inputs: [],
  outputs: [],
  provides: [{ type: 'ai_outputParser' }],
  accepts: [
    { type: 'ai_languageModel', label: 'Model', required: true, max: 1 },
    { type: 'ai_outputParser', label: 'Output parser', required: true, max: 1 },
  ],
  credentials: [],
  parameters: withHelp(
    {
      options: 'Additional options.',
      'options.prompt': 'Prompt for corrections, with `{instructions}`, `{completion}` and `{error}`.',
    },
    [
      {
        name: 'options',
        label: 'Options',
        type: 'collection',
        default: {},
        fields: [
          {
            name: 'prompt',
            label: 'Prompt for corrections',
            type: 'string',
            editor: 'multiline',
            default: FIX_PROMPT,
          },
        ],
      },
    ],
  ),
};
