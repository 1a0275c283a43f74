import type { KindDescriptor } from '@weft/node-catalogue';
import { withHelp } from '../descriptors/with-help';

const HELP = {
  operation: 'The only value.',
  dataToSave:
    'At most 10 pairs per execution. Keys may contain letters, digits and `_`, at most 50 characters; values ' +
    'are converted to strings of at most 512 characters.',
} as const;

/** Passes its items on, and records values for the execution. */
export const executionData: KindDescriptor = {
  kind: 'executionData',
  label: 'Execution data',
  description:
    'Passes its items on and saves custom data for the execution: GET /api/v1/executions/:id returns it as ' +
    '`customData`.',
  versions: [1, 1.1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  differs: ['The list of executions cannot be filtered by custom data.'],
  parameters: withHelp(HELP, [
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'save',
      options: [{ value: 'save', label: 'Save execution data for search' }],
    },
    {
      name: 'dataToSave',
      label: 'Values',
      type: 'fixedCollection',
      multiple: true,
      default: {},
      groups: [
        {
          name: 'values',
          label: 'Value',
          fields: [
            { name: 'key', label: 'Key', type: 'string', default: '' },
            { name: 'value', label: 'Value', type: 'string', default: '' },
          ],
        },
      ],
    },
  ]),
};
