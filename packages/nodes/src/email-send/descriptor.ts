import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { text } from '../descriptors/build-parameters';
import { NO_ATTRIBUTION, QUESTION_OPTIONS, questionParameters } from '../descriptors/question-parameters';

const CERTIFICATES: ParameterDescriptor = {
  name: 'allowUnauthorizedCerts',
  label: 'Ignore SSL issues',
  type: 'boolean',
  default: false,
  help: 'Accept certificates that cannot be verified.',
};
const REPLY_TO = text('replyTo', 'Reply to', '', {
  help: 'Address that replies are sent to.',
  placeholder: 'ada@example.com',
});
const ATTACHMENTS = text('attachments', 'Attachments', '', {
  help: 'Comma-separated binary fields. The HTML can embed a file as cid:<name>.',
  placeholder: 'data',
});
const SINCE_2 = { since: 2 };
const format = (value: Partial<ParameterDescriptor>): ParameterDescriptor => ({
  name: 'emailFormat',
  label: 'Format',
  type: 'options',
  options: [
    { value: 'text', label: 'Text' },
    { value: 'html', label: 'HTML' },
    { value: 'both', label: 'Both' },
  ],
  ...value,
});

const ASKS = { operation: ['sendAndWait'] };
const CC = text('ccEmail', 'CC email', '', { help: 'Comma-separated recipients.', placeholder: 'ada@example.com' });
const BCC = text('bccEmail', 'BCC email', '', {
  help: 'Comma-separated hidden recipients.',
  placeholder: 'ada@example.com',
});

/** Sends mail over SMTP. */
export const emailSend: KindDescriptor = {
  kind: 'emailSend',
  label: 'Send email',
  description: 'Sends a mail over SMTP for each item, or one mail with buttons and waits for the response.',
  versions: [1, 2, 2.1],
  groups: ['output'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  usableAsTool: { since: 2 },
  credentials: [{ type: 'smtp', required: true }],
  differs: [
    'No attribution is added to mails: `appendAttribution` has no effect.',
    '`sendAndWait` sends one mail for the first item. Its links open a page with the button, so that scanners of ' +
      'mails that follow links approve nothing.',
    'The Message-ID is the same each time a run sends the same mail, so that duplicates after a crash can be ' +
      'recognized.',
  ],
  parameters: [
    {
      name: 'resource',
      label: 'Resource',
      type: 'options',
      default: 'email',
      since: 2,
      options: [{ value: 'email', label: 'Email' }],
      help: 'The only value.',
    },
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'send',
      since: 2,
      help: 'Whether to send only, or to send and wait for the response.',
      options: [
        { value: 'send', label: 'Send' },
        { value: 'sendAndWait', label: 'Send and wait for response' },
      ],
    },
    text('fromEmail', 'From email', '', {
      required: true,
      help: 'Name <address@example.com>, or only the address.',
      placeholder: 'Weft <weft@example.com>',
    }),
    text('toEmail', 'To email', '', {
      required: true,
      help: 'Comma-separated addresses.',
      placeholder: 'ada@example.com, alan@example.com',
    }),
    { ...CC, until: 1 },
    { ...BCC, until: 1 },
    text('subject', 'Subject', '', { help: 'Line breaks are replaced with spaces.' }),
    ...questionParameters(
      { since: 2, shownWhen: ASKS },
      { approve: 'Approve', disapprove: 'Decline', hasStyles: true },
      'Text above the buttons. It may contain HTML.',
    ),
    format({ default: 'text', since: 2, until: 2, hiddenWhen: ASKS, help: 'Format of the mail body.' }),
    format({ default: 'html', since: 2.1, hiddenWhen: ASKS, help: 'Format of the mail body.' }),
    text('text', 'Text', '', { until: 1, help: 'Body of the mail as text.', editor: 'multiline' }),
    text('html', 'HTML', '', { until: 1, help: 'Body of the mail as HTML.', editor: 'html' }),
    text('text', 'Text', '', {
      ...SINCE_2,
      hiddenWhen: ASKS,
      shownWhen: { emailFormat: ['text', 'both'] },
      help: 'Body of the mail as text.',
      editor: 'multiline',
    }),
    text('html', 'HTML', '', {
      ...SINCE_2,
      hiddenWhen: ASKS,
      shownWhen: { emailFormat: ['html', 'both'] },
      help: 'Body of the mail as HTML.',
      editor: 'html',
    }),
    { ...ATTACHMENTS, until: 1 },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      until: 1,
      fields: [CERTIFICATES, REPLY_TO],
      help: 'Additional options.',
    },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      ...SINCE_2,
      fields: [NO_ATTRIBUTION, ATTACHMENTS, CC, BCC, CERTIFICATES, REPLY_TO, ...QUESTION_OPTIONS],
      help: 'Additional options.',
    },
  ],
};
