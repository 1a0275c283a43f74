import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, flag, options, text } from '../descriptors/build-parameters';

const KEY_TYPES = [
  choice('automatic', 'Automatic'),
  choice('hash', 'Hash'),
  choice('list', 'List'),
  choice('sets', 'Sets'),
  choice('string', 'String'),
];
const keyType = (operation: string, help: string): ParameterDescriptor => ({
  name: 'keyType',
  label: 'Key type',
  type: 'options',
  default: 'automatic',
  shownWhen: { operation: [operation] },
  options: KEY_TYPES,
  help,
});
const propertyName = (operation: string): ParameterDescriptor =>
  text('propertyName', 'Name', 'propertyName', {
    required: true,
    shownWhen: { operation: [operation] },
    help: 'Name of the output field for the value.',
  });
const DOT_NOTATION: ParameterDescriptor = {
  ...flag('dotNotation', 'Dot notation', true),
  help: 'Whether dots in the name lead into objects.',
};

/** Reads and writes keys of a Redis server. */
export const redis: KindDescriptor = {
  kind: 'redis',
  label: 'Redis',
  description: 'Reads and writes keys, lists, sets and hashes of a Redis server, and publishes messages.',
  versions: [1],
  groups: ['input'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  usableAsTool: {},
  credentials: [{ type: 'redis', required: true }],
  differs: [
    'A list is set even if its key does not exist yet, and the type of sets is recognized.',
    'A command is limited to 5 minutes and 32 MiB. A lost connection is not reopened within one node run.',
  ],
  parameters: [
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'info',
      options: [
        choice('delete', 'Delete'),
        choice('get', 'Get'),
        choice('incr', 'Increment'),
        choice('info', 'Info'),
        choice('keys', 'Keys'),
        choice('llen', 'List length'),
        choice('pop', 'Pop'),
        choice('publish', 'Publish'),
        choice('push', 'Push'),
        choice('set', 'Set'),
      ],
      help: 'The operation to perform. Each item is one operation, except for Info.',
    },
    text('key', 'Key', '', {
      required: true,
      shownWhen: { operation: ['delete', 'get', 'incr', 'set'] },
      help: 'Name of the key.',
    }),
    propertyName('get'),
    keyType('get', 'Type of the key. Automatic: as the server reports it.'),
    {
      ...options(['get', 'pop'], [DOT_NOTATION]),
      help: 'Less common settings.',
    },
    text('keyPattern', 'Key pattern', '', {
      required: true,
      shownWhen: { operation: ['keys'] },
      help: 'Pattern of the names: * for any characters, ? for one.',
      placeholder: 'order:*',
    }),
    {
      ...flag('getValues', 'Get values', true),
      shownWhen: { operation: ['keys'] },
      help: 'Whether to output the values of the keys instead of an array of their names.',
    },
    text('list', 'List', '', {
      required: true,
      shownWhen: { operation: ['llen', 'pop', 'push'] },
      help: 'Name of the list.',
    }),
    text('value', 'Value', '', { shownWhen: { operation: ['set'] }, help: 'The value to write.', editor: 'multiline' }),
    keyType('set', 'Type of the key. Automatic: by the type of the value.'),
    {
      ...flag('valueIsJSON', 'Value is JSON', true),
      shownWhen: { operation: ['set'], keyType: ['hash'] },
      help: 'Whether the value is an object instead of `field value field value …`.',
    },
    {
      ...flag('expire', 'Expire'),
      shownWhen: { operation: ['incr', 'set'] },
      help: 'Whether the key expires.',
    },
    {
      name: 'ttl',
      label: 'TTL',
      type: 'number',
      default: 60,
      shownWhen: { operation: ['incr', 'set'], expire: [true] },
      help: 'Seconds until the key expires.',
    },
    text('channel', 'Channel', '', {
      required: true,
      shownWhen: { operation: ['publish'] },
      help: 'Name of the channel.',
    }),
    text('messageData', 'Data', '', {
      required: true,
      shownWhen: { operation: ['publish', 'push'] },
      help: 'The message, or the entry of the list.',
      editor: 'multiline',
    }),
    {
      ...flag('tail', 'Tail'),
      shownWhen: { operation: ['pop', 'push'] },
      help: 'Whether to use the end of the list instead of its beginning.',
    },
    propertyName('pop'),
  ],
};
