import type { KindCases } from '../testing/cases/node-case';

/** Tests with a server are in `packages/nodes/test/email-read-imap.test.ts`. */
export const emailReadImapCases: KindCases = {
  kind: 'emailReadImap',
  cases: [
    {
      it: 'outputs the data of a manual start',
      versions: [1, 2, 2.1, 2.2],
      run: { isStart: true, items: [{ subject: 'mine' }] },
      gives: [[{ subject: 'mine' }]],
    },
    {
      it: 'rejects a mailbox name that would be another command',
      versions: [1, 2, 2.1, 2.2],
      run: { isStart: true, items: [{}], parameters: { mailbox: 'x\r\na1 DELETE INBOX' } },
      fails: 'The name of a mailbox must not contain control characters',
    },
    {
      it: 'fails without a credential',
      versions: [1, 2, 2.1, 2.2],
      run: { isStart: true, items: [{}] },
      fails: 'names no credential of type imap',
    },
  ],
};
