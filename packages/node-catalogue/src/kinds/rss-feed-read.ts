import type { KindDescriptor } from '../descriptor';

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
  parameters: [
    { name: 'url', label: 'Address', type: 'string', default: '', required: true },
    {
      name: 'options', label: 'Options', type: 'collection', default: {},
      fields: [
        { name: 'customFields', label: 'Further fields', type: 'string', default: '', since: 1.2 },
        { name: 'ignoreSSL', label: 'Accept any certificate', type: 'boolean', default: false },
      ],
    },
  ],
};
