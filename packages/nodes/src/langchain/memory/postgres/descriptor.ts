import type { KindDescriptor } from '@weft/node-catalogue';
import { text } from '../../../descriptors/build-parameters';
import { withHelp } from '../../../descriptors/with-help';
import { MEMORY_HELP, sessionParameters, SHARED_DIFFERS, windowParameter } from '../descriptor-parameters';

export const memoryPostgresChat: KindDescriptor = {
  kind: 'langchain.memoryPostgresChat',
  label: 'Postgres chat memory',
  description: 'Stores the messages of conversations in a table of a PostgreSQL server, as n8n does.',
  versions: [1, 1.1, 1.2, 1.3, 1.4],
  groups: ['transform'],
  isTrigger: false,
  inputs: [],
  outputs: [],
  provides: [{ type: 'ai_memory' }],
  credentials: [{ type: 'postgres', required: true }],
  differs: SHARED_DIFFERS,
  parameters: withHelp(
    {
      ...MEMORY_HELP,
      tableName: 'Name of the table, with an optional schema before a dot. It is created if it does not exist.',
    },
    [
      ...sessionParameters({ expressionSince: 1.2 }),
      text('tableName', 'Table', 'n8n_chat_histories'),
      windowParameter(1.1),
    ],
  ),
};
