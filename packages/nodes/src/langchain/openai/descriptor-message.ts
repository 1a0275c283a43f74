import type { ParameterDescriptor } from '@weft/node-catalogue';
import { choice } from '../../descriptors/build-parameters';
import { flag, number, words } from '../models/descriptor-parts';
import { HIDE_TOOLS, messages, MODEL_ID, of, role, ROUNDS, SIMPLIFY } from '../vendor/descriptor-parts';

const PENALTY = 'From -2 to 2. Positive values make repetitions less likely.';

/** Roles of messages. */
export const ROLES = [choice('user', 'User'), choice('assistant', 'Assistant'), choice('system', 'System')];

export const ROLE = role(ROLES);

/** Parameters of the operation `message` of version 1. */
export const MESSAGE: readonly ParameterDescriptor[] = of(
  'text',
  ['message'],
  [
    MODEL_ID,
    messages(ROLES, 'The conversation, the oldest message first. One of them must have a text.'),
    SIMPLIFY('If on, an item for each choice of the model; otherwise the whole response.'),
    flag('jsonOutput', 'JSON', false, 'If on, the model answers with JSON, which is read.'),
    HIDE_TOOLS,
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      help: 'One that is not set is not sent: the service has its own defaults.',
      fields: [
        number('frequency_penalty', 'Frequency penalty', 0, PENALTY),
        number('maxTokens', 'Maximum number of tokens', 16, 'Of the response.'),
        number('n', 'Choices', 1, 'Number of answers to each prompt.'),
        number('presence_penalty', 'Presence penalty', 0, 'From -2 to 2. Positive values make new topics more likely.'),
        number('temperature', 'Sampling temperature', 1, '0 gives the most predictable text.'),
        number('topP', 'Top P', 1, 'Share of the probability from which tokens are chosen.'),
        words('reasoning_effort', 'Reasoning effort', 'medium', ['low', 'medium', 'high'], 'For models that reason.'),
        { ...ROUNDS, since: 1.5 },
      ],
    },
  ],
).map((one) => ({ ...one, until: 1.8 }));
