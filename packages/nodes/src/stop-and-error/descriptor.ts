import type { KindDescriptor } from '@weft/node-catalogue';
import { withHelp } from '../descriptors/with-help';

const HELP = {
  errorType: 'Whether the error is a message or an object.',
  errorMessage: 'Error message of the run.',
  errorObject: 'A JSON object; its `message` or `error` becomes the error message of the run.',
} as const;

/** Ends the run as failed. */
export const stopAndError: KindDescriptor = {
  kind: 'stopAndError',
  label: 'Stop and error',
  description: 'Fails the run with a custom error.',
  versions: [1],
  groups: ['flow'],
  isTrigger: false,
  inputs: ['main'],
  outputs: [],
  credentials: [],
  parameters: withHelp(HELP, [
    {
      name: 'errorType',
      label: 'Error type',
      type: 'options',
      default: 'errorMessage',
      options: [
        { value: 'errorMessage', label: 'Error message' },
        { value: 'errorObject', label: 'Error object' },
      ],
    },
    {
      name: 'errorMessage',
      label: 'Error message',
      type: 'string',
      default: '',
      required: true,
      shownWhen: { errorType: ['errorMessage'] },
      editor: 'multiline',
    },
    {
      name: 'errorObject',
      label: 'Error object',
      type: 'json',
      default: '',
      required: true,
      shownWhen: { errorType: ['errorObject'] },
      editor: 'json',
    },
  ]),
};
