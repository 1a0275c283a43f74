import type { KindDescriptor } from '../descriptor';
import { withHelp } from './with-help';

const HELP = {
  operation: 'There is one.',
  dataToSave:
    'Names and values, at most 10 for an execution. Names have letters, digits and `_`, at most 50; values ' +
    'become text of at most 512 characters.',
} as const;

/** Passes its items on, and puts values down for the execution. */
export const executionData: KindDescriptor = {
  kind: 'executionData',
  label: 'Execution data',
  description:
    'Passes its items on, and puts names and values down for the execution: GET /api/v1/executions/:id shows ' +
    'them as `customData`.',
  versions: [1, 1.1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  differs: ['The list of executions cannot be searched by them.'],
  parameters: withHelp(HELP, [
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'save',
      options: [{ value: 'save', label: 'Put down for the execution' }],
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
            { name: 'key', label: 'Name', type: 'string', default: '' },
            { name: 'value', label: 'Value', type: 'string', default: '' },
          ],
        },
      ],
    },
  ]),
};
