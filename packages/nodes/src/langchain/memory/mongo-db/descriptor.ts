import type { KindDescriptor } from '@weft/node-catalogue';
import { text } from '../../../descriptors/build-parameters';
import { withHelp } from '../../../descriptors/with-help';
import { MEMORY_HELP, sessionParameters, SHARED_DIFFERS, windowParameter } from '../descriptor-parameters';

export const memoryMongoDbChat: KindDescriptor = {
  kind: 'langchain.memoryMongoDbChat',
  label: 'MongoDB chat memory',
  description: 'Stores the messages of conversations in a collection of a MongoDB server, as n8n does.',
  versions: [1, 1.1],
  groups: ['transform'],
  isTrigger: false,
  inputs: [],
  outputs: [],
  provides: [{ type: 'ai_memory' }],
  credentials: [{ type: 'mongoDb', required: true }],
  differs: SHARED_DIFFERS,
  parameters: withHelp(
    {
      ...MEMORY_HELP,
      collectionName: 'Name of the collection. It is created if it does not exist.',
      databaseName: 'Name of the database; empty for the one of the credential.',
    },
    [
      ...sessionParameters({ expressionSince: 1 }),
      text('collectionName', 'Collection', 'n8n_chat_histories'),
      text('databaseName', 'Database', ''),
      windowParameter(),
    ],
  ),
};
