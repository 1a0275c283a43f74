import type { KindDescriptor } from '@weft/node-catalogue';
import { withHelp } from '../descriptors/with-help';

const HELP = {
  keys: 'Current and new names, in dot notation.',
  additionalOptions: 'Additional options.',
} as const;

export const renameKeys: KindDescriptor = {
  kind: 'renameKeys',
  label: 'Rename keys',
  description: 'Renames fields of each item: listed ones, or all that match a regular expression.',
  versions: [1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  differs: ['Regular expressions with lookaround or backreferences fail the node.'],
  parameters: withHelp(HELP, [
    {
      name: 'keys',
      label: 'Keys',
      type: 'fixedCollection',
      multiple: true,
      default: {},
      groups: [
        {
          name: 'key',
          label: 'Key',
          fields: [
            { name: 'currentKey', label: 'Current key name', type: 'string', default: '' },
            { name: 'newKey', label: 'New key name', type: 'string', default: '' },
          ],
        },
      ],
    },
    {
      name: 'additionalOptions',
      label: 'Additional options',
      type: 'collection',
      default: {},
      fields: [
        {
          name: 'regexReplacement',
          label: 'Regex',
          type: 'fixedCollection',
          multiple: true,
          groups: [
            {
              name: 'replacements',
              label: 'Replacement',
              fields: [
                {
                  name: 'searchRegex',
                  label: 'Regular expression',
                  type: 'string',
                  default: '',
                  help: 'Lookaround and backreferences are not supported.',
                },
                { name: 'replaceRegex', label: 'Replace with', type: 'string', default: '' },
                {
                  name: 'options',
                  label: 'Options',
                  type: 'collection',
                  default: {},
                  fields: [
                    { name: 'caseInsensitive', label: 'Case insensitive', type: 'boolean', default: false },
                    {
                      name: 'depth',
                      label: 'Max depth',
                      type: 'number',
                      default: -1,
                      help: '0 for the top level only, -1 for unlimited.',
                    },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
  ]),
};
