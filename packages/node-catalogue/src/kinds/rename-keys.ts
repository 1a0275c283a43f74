import type { KindDescriptor } from '../descriptor';
import { withHelp } from './with-help';

const HELP = {
  keys: 'Old and new names; dots mean nesting.',
  additionalOptions: 'Less common settings.',
} as const;

/** Gives fields other names. */
export const renameKeys: KindDescriptor = {
  kind: 'renameKeys',
  label: 'Rename fields',
  description: 'Gives fields of every item other names: named ones, or all that match a regular expression.',
  versions: [1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  differs: ['Regular expressions with look-around or back-references are refused while the node runs.'],
  parameters: withHelp(HELP, [
    {
      name: 'keys',
      label: 'Fields',
      type: 'fixedCollection',
      multiple: true,
      default: {},
      groups: [
        {
          name: 'key',
          label: 'Field',
          fields: [
            { name: 'currentKey', label: 'Name now', type: 'string', default: '' },
            { name: 'newKey', label: 'New name', type: 'string', default: '' },
          ],
        },
      ],
    },
    {
      name: 'additionalOptions',
      label: 'More',
      type: 'collection',
      default: {},
      fields: [
        {
          name: 'regexReplacement',
          label: 'By regular expression',
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
                  help: 'Look-around and back-references are not supported.',
                },
                { name: 'replaceRegex', label: 'Replace by', type: 'string', default: '' },
                {
                  name: 'options',
                  label: 'Options',
                  type: 'collection',
                  default: {},
                  fields: [
                    { name: 'caseInsensitive', label: 'Ignore case', type: 'boolean', default: false },
                    {
                      name: 'depth',
                      label: 'Levels down',
                      type: 'number',
                      default: -1,
                      help: '0 for the top level only, -1 for all.',
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
