import type { KindDescriptor } from '@weft/node-catalogue';
import { TOOL } from '../descriptor-parameters';

/** A place for the thoughts of a model. */
export const toolThink: KindDescriptor = {
  ...TOOL,
  kind: 'langchain.toolThink',
  label: 'Think tool',
  description: 'Lets a model write down a thought before it continues. The thought is returned unchanged.',
  versions: [1, 1.1],
  parameters: [
    {
      name: 'description',
      label: 'Description',
      type: 'string',
      default:
        'Writes down a thought. It fetches nothing and changes nothing. Use it to reason about a difficult step ' +
        'before the next one.',
      editor: 'multiline',
      help: 'Tells the model when to think.',
    },
  ],
};
