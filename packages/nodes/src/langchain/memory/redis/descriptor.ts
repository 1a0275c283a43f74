import type { KindDescriptor } from '@weft/node-catalogue';
import { text } from '../../../descriptors/build-parameters';
import { withHelp } from '../../../descriptors/with-help';
import { MEMORY_HELP, sessionParameters, SHARED_DIFFERS, windowParameter } from '../descriptor-parameters';

export const memoryRedisChat: KindDescriptor = {
  kind: 'langchain.memoryRedisChat',
  label: 'Redis chat memory',
  description: 'Stores the messages of conversations in lists of a Redis server, as n8n does.',
  versions: [1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6],
  groups: ['transform'],
  isTrigger: false,
  inputs: [],
  outputs: [],
  provides: [{ type: 'ai_memory' }],
  credentials: [{ type: 'redis', required: true }],
  differs: SHARED_DIFFERS,
  parameters: withHelp(
    {
      ...MEMORY_HELP,
      sessionTTL: 'Seconds until a conversation is deleted after its last message; 0 for never.',
    },
    [
      text('sessionKey', 'Session key', 'chat_history', { until: 1 }),
      text('sessionKey', 'Session ID', '={{ $json.sessionId }}', { since: 1.1, until: 1.1 }),
      ...sessionParameters({ choiceSince: 1.2, expressionSince: 1.4 }),
      { name: 'sessionTTL', label: 'Time to live', type: 'number', default: 0 },
      windowParameter(1.3),
    ],
  ),
};
