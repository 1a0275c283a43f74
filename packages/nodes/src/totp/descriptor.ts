import type { KindDescriptor } from '@weft/node-catalogue';
import { choice, options } from '../descriptors/build-parameters';
import { withHelp } from '../descriptors/with-help';

const HELP = {
  operation: 'Generates the code for the current time.',
  options: 'Additional options.',
  'options.algorithm': 'Hash function of the HMAC.',
  'options.digits': 'Number of digits of the code: 1 to 10.',
  'options.period': 'Validity of a code in seconds: 1 to 86,400.',
} as const;

const ALGORITHMS = ['SHA1', 'SHA224', 'SHA256', 'SHA3-224', 'SHA3-256', 'SHA3-384', 'SHA3-512', 'SHA384', 'SHA512'];

export const totp: KindDescriptor = {
  kind: 'totp',
  label: 'TOTP',
  description: 'Generates time-based one-time passwords (RFC 6238).',
  versions: [1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  usableAsTool: {},
  credentials: [{ type: 'totpApi', required: true }],
  parameters: withHelp(HELP, [
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'generateSecret',
      options: [choice('generateSecret', 'Generate secret')],
    },
    options(
      ['generateSecret'],
      [
        {
          name: 'algorithm',
          label: 'Algorithm',
          type: 'options',
          default: 'SHA1',
          options: ALGORITHMS.map((name) => choice(name, name)),
        },
        { name: 'digits', label: 'Digits', type: 'number', default: 6 },
        { name: 'period', label: 'Period (s)', type: 'number', default: 30 },
      ],
    ),
  ]),
};
