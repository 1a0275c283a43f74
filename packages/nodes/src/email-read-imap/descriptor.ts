import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { text } from '../descriptors/build-parameters';
import { POLL_TIMES } from '../descriptors/clock-times';

const PREFIX = text('dataPropertyAttachmentsPrefixName', 'Property prefix name', 'attachment_', {
  help: 'Name prefix of the binary fields for attachments, followed by a number from 0.',
});
const RULES = text('customEmailConfig', 'Custom email rules', '["UNSEEN"]', {
  help: 'JSON array of IMAP search keys, all of which must match, such as ["UNSEEN", ["FROM", "ada@example.com"]].',
  editor: 'json',
  placeholder: '["UNSEEN", ["SUBJECT", "Order"]]',
});
const RECONNECT: ParameterDescriptor = {
  name: 'forceReconnect',
  label: 'Force reconnect',
  type: 'number',
  default: 60,
  help: 'Has no effect: every poll opens a new connection.',
};

/** Starts runs with the new mails of a mailbox. */
export const emailReadImap: KindDescriptor = {
  kind: 'emailReadImap',
  label: 'Email trigger (IMAP)',
  description: 'Polls a mailbox over IMAP and starts a run with new mails.',
  versions: [1, 2, 2.1, 2.2],
  groups: ['trigger'],
  isTrigger: true,
  inputs: [],
  outputs: ['main'],
  credentials: [{ type: 'imap', required: true }],
  differs: [
    'The mailbox is polled, once a minute unless `pollTimes` says otherwise; no connection is held open.',
    'A run starts with at most 50 new mails; the others follow at the next poll times, the oldest first. A mail of ' +
      'more than 25 MiB, or one that cannot be read, is an item with an `error`.',
    'Without `trackLastMessageId` every poll outputs all mails that match. With it, mails before the day of the ' +
      'first poll are left out; versions 1 and 2 output all that match at first.',
    'In the format `simple`, the text parts of a mail are joined.',
    'A plain connection is upgraded by STARTTLS if the server offers it.',
    'A manual run outputs the newest mail that matches, and does not mark it.',
    'After failures the mailbox is polled less often, down to once an hour.',
  ],
  parameters: [
    POLL_TIMES,
    text('mailbox', 'Mailbox name', 'INBOX', { help: 'Name of the mailbox on the server.' }),
    {
      name: 'postProcessAction',
      label: 'Action',
      type: 'options',
      default: 'read',
      help: 'What to do with a mail on the server after it has started a run.',
      options: [
        { value: 'read', label: 'Mark as read' },
        { value: 'nothing', label: 'Nothing' },
      ],
    },
    {
      name: 'downloadAttachments',
      label: 'Download attachments',
      type: 'boolean',
      default: false,
      shownWhen: { format: ['simple'] },
      help: 'Whether to store attachments.',
    },
    {
      name: 'format',
      label: 'Format',
      type: 'options',
      default: 'simple',
      help: 'Output format of a mail.',
      options: [
        { value: 'raw', label: 'Raw: the text as it was sent' },
        { value: 'resolved', label: 'Resolved: everything, with all files' },
        { value: 'simple', label: 'Simple: text and headers' },
      ],
    },
    { ...PREFIX, shownWhen: { format: ['resolved'] } },
    { ...PREFIX, shownWhen: { format: ['simple'], downloadAttachments: [true] } },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      help: 'Additional options.',
      fields: [
        RULES,
        {
          name: 'allowUnauthorizedCerts',
          label: 'Ignore SSL issues',
          type: 'boolean',
          default: false,
          until: 1,
          help: 'Accepts certificates that cannot be verified. Later versions have this setting in the credential.',
        },
        RECONNECT,
        {
          name: 'trackLastMessageId',
          label: 'Fetch only new emails',
          type: 'boolean',
          default: true,
          since: 2.1,
          help: 'Whether to leave out mails that were output before, even if they match.',
        },
      ],
    },
  ],
};
