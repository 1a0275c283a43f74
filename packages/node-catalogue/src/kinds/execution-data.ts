import type { KindDescriptor } from '../descriptor';
import { withHelp } from './with-help';

const HELP = {
  operation: 'There is one.',
  dataToSave: 'Names and values. They are resolved, so that mistakes in them show.',
} as const;

/** Passes its items on. */
export const executionData: KindDescriptor = {
  kind: 'executionData',
  label: 'Execution data',
  description: 'Passes its items on. The values it is to put down for the execution are resolved, but not kept: executions cannot be searched by them.',
  versions: [1, 1.1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  differs: [
    'Values are resolved but not kept.',
  ],
  parameters: withHelp(HELP, [
    { name: 'operation', label: 'Operation', type: 'options', default: 'save', options: [{ value: 'save', label: 'Put down for the execution' }] },
    {
      name: 'dataToSave', label: 'Values', type: 'fixedCollection', multiple: true, default: {},
      groups: [{
        name: 'values', label: 'Value', fields: [
          { name: 'key', label: 'Name', type: 'string', default: '' },
          { name: 'value', label: 'Value', type: 'string', default: '' },
        ],
      }],
    },
  ]),
};
