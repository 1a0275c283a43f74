import type { KindDescriptor } from '../descriptor';
import { withHelp } from './with-help';

const HELP = {
  url: 'Where the feed is; version 1 reads that of the first item only.',
  options: 'Less common settings.',
  'options.customFields': 'Names with commas between them.',
  'options.ignoreSSL': 'Certificates that cannot be verified are taken too.',
} as const;

/** Reads the entries of feeds. */
export const rssFeedRead: KindDescriptor = {
  kind: 'rssFeedRead',
  label: 'RSS read',
  description: 'Reads RSS and Atom feeds and gives an item for every entry.',
  versions: [1, 1.1, 1.2],
  groups: ['input'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  differs: ['Addresses of private networks are refused unless `OUTBOUND_ALLOW` lets them through.'],
  parameters: withHelp(HELP, [
    { name: 'url', label: 'Address', type: 'string', default: '', required: true },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      fields: [
        { name: 'customFields', label: 'Further fields', type: 'string', default: '', since: 1.2 },
        { name: 'ignoreSSL', label: 'Accept any certificate', type: 'boolean', default: false },
      ],
    },
  ]),
};
