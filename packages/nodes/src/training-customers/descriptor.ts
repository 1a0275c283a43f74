import type { KindDescriptor } from '@weft/node-catalogue';
import { choice, flag, text } from '../descriptors/build-parameters';
import { withHelp } from '../descriptors/with-help';

const STORE_HELP = {
  operation: 'Whether to output the first customer or several.',
  returnAll: 'Outputs all five instead of `limit`.',
  limit: 'Maximum number of customers for each input item.',
} as const;

const MESSENGER_HELP = {
  customerId: 'Id of the customer. Any string is accepted.',
  message: 'Text of the message.',
} as const;

/** Five fictional customers, for courses and examples. */
export const n8nTrainingCustomerDatastore: KindDescriptor = {
  kind: 'n8nTrainingCustomerDatastore',
  label: 'Customer Datastore (training)',
  description: 'Outputs fictional customers, for courses and examples.',
  versions: [1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  differs: ['The strings in `notes` are different.'],
  parameters: withHelp(STORE_HELP, [
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'getOnePerson',
      options: [choice('getOnePerson', 'Get one person'), choice('getAllPeople', 'Get all people')],
    },
    { ...flag('returnAll', 'Return all'), shownWhen: { operation: ['getAllPeople'] } },
    {
      name: 'limit',
      label: 'Limit',
      type: 'number',
      default: 5,
      shownWhen: { operation: ['getAllPeople'], returnAll: [false] },
    },
  ]),
};

/** Pretends to send a message to a customer, for courses and examples. */
export const n8nTrainingCustomerMessenger: KindDescriptor = {
  kind: 'n8nTrainingCustomerMessenger',
  label: 'Customer Messenger (training)',
  description: 'Outputs the message that it would send to a fictional customer. Nothing is sent.',
  versions: [1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  parameters: withHelp(MESSENGER_HELP, [
    text('customerId', 'Customer id', '', { required: true }),
    text('message', 'Message', '', { required: true, editor: 'multiline' }),
  ]),
};
