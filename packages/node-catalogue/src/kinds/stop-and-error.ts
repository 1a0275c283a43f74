import type { KindDescriptor } from '../descriptor';
import { withHelp } from './with-help';

const HELP = {
  errorType: 'A message, or an object with a message and more.',
  errorMessage: 'What the run fails with.',
  errorObject: 'A JSON object; its `message` or `error` is what the run fails with.',
} as const;

/** Ends the run as failed. */
export const stopAndError: KindDescriptor = {
  kind: 'stopAndError',
  label: 'Stop and error',
  description: 'Ends the run with an error of your own.',
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
        { value: 'errorMessage', label: 'Message' },
        { value: 'errorObject', label: 'Object' },
      ],
    },
    {
      name: 'errorMessage',
      label: 'Message',
      type: 'string',
      default: '',
      required: true,
      shownWhen: { errorType: ['errorMessage'] },
    },
    {
      name: 'errorObject',
      label: 'Object',
      type: 'json',
      default: '',
      required: true,
      shownWhen: { errorType: ['errorObject'] },
    },
  ]),
};
