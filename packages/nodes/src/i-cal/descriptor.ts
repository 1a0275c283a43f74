import type { KindDescriptor } from '@weft/node-catalogue';
import { eventParameters } from '../descriptors/event-parameters';

/** Writes calendar events to files. */
export const iCal: KindDescriptor = {
  kind: 'iCal',
  label: 'iCalendar',
  description: 'Creates an iCalendar file with an event for each item.',
  versions: [1],
  groups: ['input'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  parameters: [
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'createEventFile',
      help: 'The operation to perform.',
      options: [{ value: 'createEventFile', label: 'Create event file' }],
    },
    ...eventParameters(),
    {
      name: 'binaryPropertyName',
      label: 'Binary field',
      type: 'string',
      default: 'data',
      help: 'Name of the binary field that the file is put in.',
    },
  ],
};
