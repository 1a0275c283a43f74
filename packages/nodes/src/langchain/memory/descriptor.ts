import type { KindDescriptor } from '@weft/node-catalogue';
import { text } from '../../descriptors/build-parameters';
import { withHelp } from '../../descriptors/with-help';
import { MEMORY_HELP, sessionParameters, windowParameter } from './descriptor-parameters';

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
  parameters: withHelp(MEMORY_HELP, [
    text('sessionKey', 'Session key', 'chat_history', { until: 1 }),
    text('sessionKey', 'Session ID', '={{ $json.sessionId }}', { since: 1.1, until: 1.1 }),
    ...sessionParameters({ choiceSince: 1.2, expressionSince: 1.3 }),
    windowParameter(),
  ]),
};
