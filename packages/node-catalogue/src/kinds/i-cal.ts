import type { KindDescriptor } from '../descriptor';
import { eventParameters } from './event-parameters';

/** Writes events of a calendar into files. */
export const iCal: KindDescriptor = {
  kind: 'iCal',
  label: 'iCalendar',
  description: 'Writes an event for every item into a file that calendars read.',
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
      help: 'What is done.',
      options: [{ value: 'createEventFile', label: 'Make the file of an event' }],
    },
    ...eventParameters(),
    {
      name: 'binaryPropertyName',
      label: 'Name of the file in the item',
      type: 'string',
      default: 'data',
      help: 'The field of the item that gets the file.',
    },
  ],
};
