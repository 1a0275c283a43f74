import type { KindDescriptor } from '@weft/node-catalogue';
import { choice, text } from '../../descriptors/build-parameters';
import { withHelp } from '../../descriptors/with-help';

const HELP = {
  sessionKey: 'Names the conversation: calls with the same value share their messages.',
  sessionIdType: 'Source of the name of the conversation.',
  contextWindowLength: 'Number of earlier messages of the user, with the answers to them, that the model gets.',
} as const;

export const memoryBufferWindow: KindDescriptor = {
  kind: 'langchain.memoryBufferWindow',
  label: 'Simple memory',
  description: 'Stores the messages of conversations with the workflow.',
  versions: [1, 1.1, 1.2, 1.3, 1.4],
  groups: ['transform'],
  isTrigger: false,
  inputs: [],
  outputs: [],
  provides: [{ type: 'ai_memory' }],
  credentials: [],
  differs: [
    'Conversations are stored in the database: they outlive restarts, and all runners share them.',
    'A conversation holds at most 500 messages and 256 KB, the newest; it is deleted 30 days after its last message.',
  ],
  parameters: withHelp(HELP, [
    text('sessionKey', 'Session key', 'chat_history', { until: 1 }),
    text('sessionKey', 'Session ID', '={{ $json.sessionId }}', { since: 1.1, until: 1.1 }),
    {
      name: 'sessionIdType',
      label: 'Session ID',
      type: 'options',
      default: 'fromInput',
      since: 1.2,
      options: [choice('fromInput', 'Connected chat trigger'), choice('customKey', 'Define below')],
    },
    text('sessionKey', 'Session key', '={{ $json.sessionId }}', {
      since: 1.3,
      shownWhen: { sessionIdType: ['fromInput'] },
    }),
    text('sessionKey', 'Key', '', { since: 1.2, shownWhen: { sessionIdType: ['customKey'] } }),
    { name: 'contextWindowLength', label: 'Context window', type: 'number', default: 5 },
  ]),
};
