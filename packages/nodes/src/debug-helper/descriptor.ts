import type { KindDescriptor } from '@weft/node-catalogue';
import { choice, flag, text } from '../descriptors/build-parameters';
import { withHelp } from '../descriptors/with-help';

const LETTERS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const category = (value: string) => ({ category: [value] });
const random = category('randomData');

const HELP = {
  category: 'Whether to do nothing and output no item, fail, or generate random data.',
  throwErrorType: 'The name of the error.',
  throwErrorMessage: 'The message of the error.',
  memorySizeValue: 'In megabytes. Not used: the category is not supported.',
  randomDataType: 'Type of the generated data. Addresses, domains and emails are reserved for examples.',
  nanoidAlphabet: 'The characters of an id.',
  nanoidLength: 'Length of an id, at most 256.',
  randomDataSeed: 'The same seed generates the same data for every item and in every run. Random if empty.',
  randomDataCount: 'Number of entries for each item; at most 100,000 for all items together.',
  randomDataSingleArray: 'Outputs one item with all entries in the array `generatedItems` instead of one item each.',
} as const;

export const debugHelper: KindDescriptor = {
  kind: 'debugHelper',
  label: 'Debug helper',
  description: 'Fails on purpose or generates random data, for testing workflows.',
  versions: [1],
  groups: ['output'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  differs: ['The generated values are different, even with the same seed.', 'It does not use up memory.'],
  parameters: withHelp(HELP, [
    {
      name: 'category',
      label: 'Category',
      type: 'options',
      default: 'throwError',
      options: [
        choice('doNothing', 'Do nothing'),
        choice('throwError', 'Throw error'),
        choice('oom', 'Out of memory', {
          refused: 'A run must not exhaust the memory of the service; its memory is limited, see docs/limits.md.',
        }),
        choice('randomData', 'Random data'),
      ],
    },
    {
      name: 'throwErrorType',
      label: 'Error type',
      type: 'options',
      default: 'NodeApiError',
      shownWhen: category('throwError'),
      options: ['NodeApiError', 'NodeOperationError', 'Error'].map((name) => choice(name, name)),
    },
    text('throwErrorMessage', 'Error message', 'Node has thrown an error', { shownWhen: category('throwError') }),
    { name: 'memorySizeValue', label: 'Memory size', type: 'number', default: 10, shownWhen: category('oom') },
    {
      name: 'randomDataType',
      label: 'Data type',
      type: 'options',
      default: 'user',
      shownWhen: random,
      options: [
        choice('address', 'Address'),
        choice('latLong', 'Coordinates'),
        choice('creditCard', 'Credit card'),
        choice('email', 'Email'),
        choice('ipv4', 'IPv4'),
        choice('ipv6', 'IPv6'),
        choice('macAddress', 'MAC'),
        choice('nanoid', 'Nano IDs'),
        choice('url', 'URL'),
        choice('user', 'User'),
        choice('uuid', 'UUID'),
        choice('semver', 'Version'),
      ],
    },
    text('nanoidAlphabet', 'Alphabet', LETTERS, { shownWhen: { ...random, randomDataType: ['nanoid'] } }),
    text('nanoidLength', 'Length', '16', { shownWhen: { ...random, randomDataType: ['nanoid'] } }),
    text('randomDataSeed', 'Seed', '', { shownWhen: random }),
    { name: 'randomDataCount', label: 'Number of entries', type: 'number', default: 10, shownWhen: random },
    { ...flag('randomDataSingleArray', 'One item'), shownWhen: random },
  ]),
};
