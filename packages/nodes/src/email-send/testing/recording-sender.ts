import type { Mail, MailReceipt, MailSender, MailServer } from '@weft/outbound';

/** A sender that records and accepts every mail. */
export interface RecordingSender extends MailSender {
  readonly sent: { readonly server: MailServer; readonly mail: Mail }[];
}

/** Its receipt for a mail. */
export const RECEIPT: MailReceipt = {
  accepted: ['to@example.org'],
  rejected: [],
  refusals: [],
  ehlo: ['PIPELINING'],
  envelopeTime: 1,
  messageTime: 2,
  messageSize: 3,
  response: '250 OK',
  envelope: { from: 'from@example.com', to: ['to@example.org'] },
};

/** Creates the sender. `answer` may throw, or return another receipt. */
export function recordingSender(answer: (mail: Mail) => MailReceipt = () => RECEIPT): RecordingSender {
  const sent: RecordingSender['sent'] = [];
  return {
    sent,
    send: async (server, mail) => {
      sent.push({ server, mail });
      return answer(mail);
    },
  };
}
