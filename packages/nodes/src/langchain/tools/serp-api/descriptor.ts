import type { KindDescriptor } from '@weft/node-catalogue';
import { choice, text } from '../../../descriptors/build-parameters';
import { TOOL } from '../descriptor-parameters';
import { flag } from '../../models/descriptor-parts';

/** Searches the web for a model. */
export const toolSerpApi: KindDescriptor = {
  ...TOOL,
  kind: 'langchain.toolSerpApi',
  label: 'SerpApi (Google Search)',
  description: 'Lets a model search the web with Google, over SerpApi.',
  versions: [1],
  credentials: [{ type: 'serpApi', required: true }],
  differs: [
    'The result has the first five pages with title, address and text; that of n8n has the text of the first one.',
    'A search without a result is reported to the model, and does not fail.',
  ],
  parameters: [
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      help: 'One that is not set is not sent: the service has its own defaults.',
      fields: [
        text('gl', 'Country', 'us', { help: 'Two letters, for example us.' }),
        {
          name: 'device',
          label: 'Device',
          type: 'options',
          default: 'desktop',
          help: 'Device that the results are for.',
          options: [choice('desktop', 'Desktop'), choice('mobile', 'Mobile'), choice('tablet', 'Tablet')],
        },
        flag(
          'no_cache',
          'New search',
          false,
          'If on, results of an earlier search are not used. Each search is billed.',
        ),
        text('google_domain', 'Google domain', 'google.com', { help: 'Domain of Google to search on.' }),
        text('hl', 'Language', 'en', { help: 'Two letters, for example en.' }),
      ],
    },
  ],
};
