import type { KindDescriptor } from '@weft/node-catalogue';
import { withHelp } from '../descriptors/with-help';

const HELP = {
  url: 'URL of the feed; version 1 uses that of the first item only.',
  options: 'Additional options.',
  'options.customFields': 'Comma-separated names.',
  'options.ignoreSSL': 'Accepts certificates that cannot be verified.',
} as const;

export const rssFeedRead: KindDescriptor = {
  kind: 'rssFeedRead',
  label: 'RSS read',
  description: 'Reads RSS and Atom feeds and outputs an item for each entry.',
  versions: [1, 1.1, 1.2],
  groups: ['input'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  usableAsTool: {},
  credentials: [],
  differs: ['Addresses of private networks are blocked unless `OUTBOUND_ALLOW` permits them.'],
  parameters: withHelp(HELP, [
    {
      name: 'url',
      label: 'URL',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'https://example.com/feed.xml',
    },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      fields: [
        { name: 'customFields', label: 'Custom fields', type: 'string', default: '' },
        { name: 'ignoreSSL', label: 'Ignore SSL issues', type: 'boolean', default: false },
      ],
    },
  ]),
};
