import type { ParameterDescriptor } from '@weft/node-catalogue';
import { choice, text } from '../../descriptors/build-parameters';
import { flag, number } from '../models/descriptor-parts';
import { file, messages, MODEL_ID, of, options, ROUNDS, SIMPLIFY, SKIPS_EMPTY } from '../vendor/descriptor-parts';
import { SOURCE } from '../vendor/descriptor-files';

/** Roles of messages. */
export const ROLES = [choice('user', 'User'), choice('assistant', 'Assistant')];

const ATTACHED = { addAttachments: [true] };

const DOMAINS = (name: string, label: string, help: string): ParameterDescriptor =>
  text(name, label, '', { help: `${help} Separated by commas.` });

/** Parameters of the operation `message`. */
export const MESSAGE: readonly ParameterDescriptor[] = of(
  'text',
  ['message'],
  [
    MODEL_ID,
    messages(ROLES, SKIPS_EMPTY),
    flag('addAttachments', 'Attachments', false, 'If on, files are sent after the messages.'),
    { ...SOURCE, name: 'attachmentsInputType', shownWhen: ATTACHED },
    text('attachmentsUrls', 'Addresses', '', {
      shownWhen: { ...ATTACHED, attachmentsInputType: ['url'] },
      help: 'Of images, PDF files, or files that are stored at the service. Separated by commas.',
    }),
    {
      ...file('Fields of the files, separated by commas.'),
      shownWhen: { ...ATTACHED, attachmentsInputType: ['binary'] },
    },
    SIMPLIFY('If on, only the content of the answer; otherwise the whole response.'),
    options(
      flag('includeMergedResponse', 'Merged text', false, 'If on, `merged_response` has all text of the answer.'),
      text('system', 'System message', '', { editor: 'multiline', help: 'How the model should behave.' }),
      flag('codeExecution', 'Code', false, 'If on, the model may run code at the service, which gets the attachments.'),
      flag('webSearch', 'Web search', false, 'If on, the model may search the web.'),
      number('maxUses', 'Searches', 5, 'Largest number of searches in one request.'),
      DOMAINS('allowedDomains', 'Allowed domains', 'Only these are searched.'),
      DOMAINS('blockedDomains', 'Blocked domains', 'These are not searched.'),
      number('maxTokens', 'Maximum number of tokens', 1_024, 'Of the answer.'),
      number('temperature', 'Sampling temperature', 1, 'From 0 to 1. 0 gives the most predictable text.'),
      number('topP', 'Top P', 0.7, 'Share of the probability from which tokens are chosen.'),
      number('topK', 'Top K', 5, 'Number of tokens to choose from.'),
      ROUNDS,
    ),
  ],
);
