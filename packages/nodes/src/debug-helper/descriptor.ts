import type { KindDescriptor } from '@weft/node-catalogue';
import { choice, flag, text } from '../descriptors/build-parameters';
import { withHelp } from '../descriptors/with-help';

const LETTERS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const category = (value: string) => ({ category: [value] });
const random = category('randomData');

const HELP = {
  category: 'What the node does: nothing, without an item; an error; or made-up data.',
  throwErrorType: 'The name of the error.',
  throwErrorMessage: 'The message of the error.',
  memorySizeValue: 'In megabytes. Not used: the category is refused.',
  randomDataType: 'What is made up. Addresses, domains and emails are those that examples may use.',
  nanoidAlphabet: 'The characters of an id.',
  nanoidLength: 'Characters of an id, at most 256.',
  randomDataSeed: 'The same text gives the same data for every item and in every run. Random if empty.',
  randomDataCount: 'Entries for each item; at most 100,000 for all items together.',
  randomDataSingleArray: 'One item with all entries in the list `generatedItems`, instead of an item for each.',
} as const;

/** Fails on purpose, or makes up data. */
export const debugHelper: KindDescriptor = {
  kind: 'debugHelper',
  label: 'Debug helper',
  description: 'Fails on purpose or makes up data, to try workflows out.',
  versions: [1],
  groups: ['output'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  differs: ['The made-up values are others, also with the same seed.', 'It does not use up memory.'],
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
          refused: 'A run may not use up the memory of the service: what it may take is bounded, see docs/limits.md.',
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
