import type { Conditions, KindDescriptor, OptionDescriptor } from '../descriptor';
import { text } from './build-parameters';
import { withHelp } from './with-help';

const named = (...values: readonly string[]): readonly OptionDescriptor[] =>
  values.map((value) => ({ value, label: value }));
const HASHES = named('MD5', 'SHA1', 'SHA224', 'SHA256', 'SHA384', 'SHA512', 'SHA3-256', 'SHA3-384', 'SHA3-512');
const DIGESTS: Conditions = { action: ['hash', 'hmac'] };

const HELP = {
  action: 'Hash, hash with a secret, sign, or make a random value.',
  type: 'The hash function.',
  binaryData: 'Hash a file of the item instead of a string.',
  binaryPropertyName: 'The field of the file.',
  value: 'The text to work on.',
  secret: 'The secret of the hash.',
  algorithm: 'For example `RSA-SHA256`.',
  dataPropertyName: 'The field of the item that gets the result; dots mean nesting.',
  encoding: 'How the bytes of the result are written.',
  encodingType: 'The form of the random value.',
  stringLength: 'Number of characters.',
} as const;

/** Hashes, signs and generates values. */
export const crypto: KindDescriptor = {
  kind: 'crypto',
  label: 'Crypto',
  description: 'Hashes values or files, with a secret or without, signs values, and generates random ones.',
  versions: [1, 2],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [{ type: 'crypto', required: false, shownWhen: { action: ['hmac', 'sign'] } }],
  parameters: withHelp(HELP, [
    {
      name: 'action',
      label: 'Action',
      type: 'options',
      default: 'hash',
      options: [
        { value: 'generate', label: 'Generate' },
        { value: 'hash', label: 'Hash' },
        { value: 'hmac', label: 'Hash with a secret' },
        { value: 'sign', label: 'Sign' },
      ],
    },
    { name: 'type', label: 'Hash function', type: 'options', default: 'MD5', shownWhen: DIGESTS, options: HASHES },
    { name: 'binaryData', label: 'Of a file', type: 'boolean', default: false, shownWhen: DIGESTS },
    text('binaryPropertyName', 'Field of the file', 'data', { shownWhen: { ...DIGESTS, binaryData: [true] } }),
    text('value', 'Value', '', { shownWhen: { ...DIGESTS, binaryData: [false] } }),
    text('value', 'Value', '', { shownWhen: { action: ['sign'] } }),
    { ...text('secret', 'Secret', '', { shownWhen: { action: ['hmac'] } }), until: 1 },
    text('algorithm', 'Algorithm', '', { shownWhen: { action: ['sign'] } }),
    { ...text('privateKey', 'Private key', '', { shownWhen: { action: ['sign'] } }), until: 1, help: 'In PEM form.' },
    text('dataPropertyName', 'Field for the result', 'data', { shownWhen: {} }),
    {
      name: 'encoding',
      label: 'Written as',
      type: 'options',
      default: 'hex',
      shownWhen: { action: ['hash', 'hmac', 'sign'] },
      options: named('base64', 'hex'),
    },
    {
      name: 'encodingType',
      label: 'What',
      type: 'options',
      default: 'uuid',
      shownWhen: { action: ['generate'] },
      options: named('ascii', 'base64', 'hex', 'uuid'),
    },
    {
      name: 'stringLength',
      label: 'Length',
      type: 'number',
      default: 32,
      shownWhen: { action: ['generate'], encodingType: ['ascii', 'base64', 'hex'] },
    },
  ]),
};
