import type { Conditions, KindDescriptor, OptionDescriptor } from '@weft/node-catalogue';
import { text } from '../descriptors/build-parameters';
import { withHelp } from '../descriptors/with-help';

const named = (...values: readonly string[]): readonly OptionDescriptor[] =>
  values.map((value) => ({ value, label: value }));
const HASHES = named('MD5', 'SHA1', 'SHA224', 'SHA256', 'SHA384', 'SHA512', 'SHA3-256', 'SHA3-384', 'SHA3-512');
const DIGESTS: Conditions = { action: ['hash', 'hmac'] };
const CRYPTING: Conditions = { action: ['encrypt', 'decrypt'] };

const HELP = {
  action: 'Hash, HMAC, sign, encrypt, decrypt, or generate a random value.',
  mode: 'A passphrase for strings of any length, or RSA with OAEP for short ones. Both come from the credential.',
  cipher: 'Must be the same for both directions.',
  type: 'The hash function.',
  binaryData: 'Hash a file of the item instead of a string.',
  binaryPropertyName: 'Name of the binary field.',
  value: 'The string to process.',
  secret: 'Secret of the HMAC.',
  algorithm: 'For example `RSA-SHA256`.',
  dataPropertyName: 'Name of the output field, in dot notation.',
  encoding: 'Encoding of the result.',
  encodingType: 'Type of the random value.',
  stringLength: 'Length in characters.',
} as const;

export const crypto: KindDescriptor = {
  kind: 'crypto',
  label: 'Crypto',
  description: 'Hashes values or files, creates HMACs and signatures, encrypts, and generates random values.',
  versions: [1, 2],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  usableAsTool: {},
  credentials: [{ type: 'crypto', required: false, shownWhen: { action: ['hmac', 'sign', 'encrypt', 'decrypt'] } }],
  parameters: withHelp(HELP, [
    {
      name: 'action',
      label: 'Action',
      type: 'options',
      default: 'hash',
      options: [
        { value: 'decrypt', label: 'Decrypt', since: 2 },
        { value: 'encrypt', label: 'Encrypt', since: 2 },
        { value: 'generate', label: 'Generate' },
        { value: 'hash', label: 'Hash' },
        { value: 'hmac', label: 'HMAC' },
        { value: 'sign', label: 'Sign' },
      ],
    },
    { name: 'type', label: 'Type', type: 'options', default: 'MD5', until: 1, shownWhen: DIGESTS, options: HASHES },
    { name: 'type', label: 'Type', type: 'options', default: 'SHA256', since: 2, shownWhen: DIGESTS, options: HASHES },
    { name: 'binaryData', label: 'Binary file', type: 'boolean', default: false, shownWhen: DIGESTS },
    text('binaryPropertyName', 'Binary field', 'data', { shownWhen: { ...DIGESTS, binaryData: [true] } }),
    text('value', 'Value', '', { shownWhen: { ...DIGESTS, binaryData: [false] }, editor: 'multiline' }),
    text('value', 'Value', '', { shownWhen: { action: ['sign'] }, editor: 'multiline' }),
    { ...text('value', 'Value', '', { shownWhen: CRYPTING, editor: 'multiline' }), since: 2 },
    {
      name: 'mode',
      label: 'Mode',
      type: 'options',
      default: 'symmetric',
      since: 2,
      shownWhen: CRYPTING,
      options: [
        { value: 'symmetric', label: 'With a passphrase' },
        { value: 'asymmetric', label: 'With RSA keys' },
      ],
    },
    {
      name: 'cipher',
      label: 'Cipher',
      type: 'options',
      default: 'aes-256-gcm',
      since: 2,
      shownWhen: { ...CRYPTING, mode: ['symmetric'] },
      options: named('aes-128-gcm', 'aes-192-gcm', 'aes-256-gcm', 'chacha20-poly1305'),
    },
    { ...text('secret', 'Secret', '', { shownWhen: { action: ['hmac'] } }), until: 1 },
    text('algorithm', 'Algorithm', '', { shownWhen: { action: ['sign'] } }),
    {
      ...text('privateKey', 'Private key', '', { shownWhen: { action: ['sign'] }, editor: 'multiline' }),
      until: 1,
      help: 'In PEM format.',
    },
    text('dataPropertyName', 'Output field name', 'data', { shownWhen: {} }),
    {
      name: 'encoding',
      label: 'Encoding',
      type: 'options',
      default: 'hex',
      shownWhen: { action: ['hash', 'hmac', 'sign'] },
      options: named('base64', 'hex'),
    },
    {
      name: 'encodingType',
      label: 'Type',
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
