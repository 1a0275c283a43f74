import type { KindCases } from '../testing/cases/node-case';
import { messageIdOf } from './message-id';
import { RECEIPT, recordingSender } from './testing/recording-sender';

const mail = recordingSender();
const credential = { host: 'mail.example.com', port: 587, secure: false };
const node = { credentials: { smtp: { id: 'c1', name: 'Mail' } } };
const parameters = {
  fromEmail: 'Ada <from@example.com>',
  toEmail: '={{ $json.to }}',
  subject: 'Hi',
  text: 'Hello',
  html: '<b>Hello</b>',
};
const { refusals: _refusals, ...receipt } = RECEIPT;
const gives = (item: number) => ({ ...receipt, messageId: messageIdOf('e1', 'Node', 0, item, 'from@example.com') });

export const emailSendCases: KindCases = {
  kind: 'emailSend',
  cases: [
    {
      it: 'sends a mail for each item and outputs the response of the server',
      versions: [1, 2, 2.1],
      run: {
        mail,
        credential,
        node,
        parameters,
        items: [{ to: 'to@example.org' }, { to: 'a@example.org, b@example.org' }],
      },
      gives: [[gives(0), gives(1)]],
      pairs: [[{ item: 0 }, { item: 1 }]],
    },
    {
      it: 'requires a recipient',
      versions: [1, 2, 2.1],
      run: { mail, credential, node, parameters, items: [{ to: '' }] },
      fails: 'The mail has no recipient',
    },
    {
      it: 'outputs an error item for a mail that cannot be sent, and continues',
      versions: [1, 2, 2.1],
      run: {
        mail,
        credential,
        node: { ...node, onError: 'continueRegularOutput' },
        parameters,
        items: [{ to: '' }, { to: 'to@example.org' }],
      },
      gives: [[{ error: 'The mail has no recipient. Set "To Email".' }, gives(1)]],
    },
    {
      it: 'waits for the response to its mail',
      versions: [2, 2.1],
      run: {
        mail,
        credential,
        node,
        parameters: { ...parameters, operation: 'sendAndWait', message: 'May I?' },
        items: [{ to: 'to@example.org' }],
      },
      waits: { kind: 'webhook' },
    },
  ],
};
