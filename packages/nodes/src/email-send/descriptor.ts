import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { text } from '../descriptors/build-parameters';
import { customCss, formFields } from '../descriptors/form-parameters';

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
const ASKS_FORM = { ...ASKS, responseType: ['customForm'] };

/** Parameters of a mail that waits for a response. */
const QUESTION: readonly ParameterDescriptor[] = [
  text('message', 'Message', '', {
    since: 2,
    shownWhen: ASKS,
    required: true,
    help: 'Text above the buttons. HTML in it is escaped.',
    editor: 'multiline',
  }),
  {
    name: 'responseType',
    label: 'Response type',
    type: 'options',
    default: 'approval',
    since: 2,
    shownWhen: ASKS,
    help: 'A click on a button, or a form that opens from a button in the mail.',
    options: [
      { value: 'approval', label: 'Approval' },
      { value: 'freeText', label: 'Text' },
      { value: 'customForm', label: 'Form' },
    ],
  },
  {
    name: 'approvalOptions',
    label: 'Buttons',
    type: 'fixedCollection',
    help: 'Labels and styles of the buttons.',
    since: 2,
    shownWhen: { ...ASKS, responseType: ['approval'] },
    groups: [
      {
        name: 'values',
        label: 'Buttons',
        fields: [
          {
            name: 'approvalType',
            label: 'Buttons',
            type: 'options',
            default: 'single',
            options: [
              { value: 'single', label: 'Approve only' },
              { value: 'double', label: 'Approve and disapprove' },
            ],
          },
          text('approveLabel', 'Approve button label', 'Approve'),
          text('disapproveLabel', 'Disapprove button label', 'Decline'),
          text('buttonApprovalStyle', 'Approve button style', 'primary', {
            help: 'Has no effect: all buttons look the same.',
          }),
          text('buttonDisapprovalStyle', 'Disapprove button style', 'secondary', {
            help: 'Has no effect: all buttons look the same.',
          }),
        ],
      },
    ],
  },
  {
    name: 'defineForm',
    label: 'Define form',
    type: 'options',
    default: 'fields',
    since: 2,
    shownWhen: ASKS_FORM,
    help: 'How the form fields are defined.',
    options: [
      { value: 'fields', label: 'Using fields below' },
      { value: 'json', label: 'JSON' },
    ],
  },
  formFields(false, {
    since: 2,
    shownWhen: { ...ASKS_FORM, defineForm: ['fields'] },
    help: 'The fields of the form.',
  }),
  {
    name: 'jsonOutput',
    label: 'Fields',
    type: 'json',
    default: '[]',
    since: 2,
    shownWhen: { ...ASKS_FORM, defineForm: ['json'] },
    help: 'A JSON array of form fields.',
    editor: 'json',
  },
];

/** Time limit of a wait for a response. */
const LIMIT: ParameterDescriptor = {
  name: 'limitWaitTime',
  label: 'Limit wait time',
  type: 'fixedCollection',
  help: 'When the limit is reached, the input items are passed on.',
  groups: [
    {
      name: 'values',
      label: 'Limit type',
      fields: [
        {
          name: 'limitType',
          label: 'Limit type',
          type: 'options',
          default: 'afterTimeInterval',
          options: [
            { value: 'afterTimeInterval', label: 'After time interval' },
            { value: 'atSpecifiedTime', label: 'At specified time' },
          ],
        },
        {
          name: 'resumeAmount',
          label: 'Amount',
          type: 'number',
          default: 1,
          shownWhen: { limitType: ['afterTimeInterval'] },
        },
        {
          name: 'resumeUnit',
          label: 'Unit',
          type: 'options',
          default: 'hours',
          shownWhen: { limitType: ['afterTimeInterval'] },
          options: ['seconds', 'minutes', 'hours', 'days'].map((value) => ({ value, label: value })),
        },
        {
          name: 'maxDateAndTime',
          label: 'Max date and time',
          type: 'dateTime',
          default: '',
          shownWhen: { limitType: ['atSpecifiedTime'] },
        },
      ],
    },
  ],
};
/** Appearance of the page that asks for a response. */
const PAGE_OPTIONS: readonly ParameterDescriptor[] = [
  text('messageButtonLabel', 'Message button label', 'Respond', {
    help: 'Label of the button in the mail that opens the form.',
  }),
  text('responseFormTitle', 'Response form title', '', { help: 'Default: the subject.' }),
  text('responseFormDescription', 'Response form description', '', {
    help: 'Default: the message. Basic HTML is allowed.',
    editor: 'multiline',
  }),
  text('responseFormButtonLabel', 'Response form button label', 'Submit', {
    help: 'Label of the button that submits the form.',
  }),
  { ...customCss(false), name: 'responseFormCustomCss' },
];
const NO_ATTRIBUTION: ParameterDescriptor = {
  name: 'appendAttribution',
  label: 'Append attribution',
  type: 'boolean',
  default: false,
  help: 'Has no effect: no attribution is added to mails.',
};
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
  credentials: [{ type: 'smtp', required: true }],
  differs: [
    'No attribution is added to mails: `appendAttribution` has no effect.',
    '`sendAndWait` sends one mail for the first item. Its buttons are links: opening an approval link ' +
      'responds, and requests of known bots are ignored.',
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
    ...QUESTION,
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
      fields: [NO_ATTRIBUTION, ATTACHMENTS, CC, BCC, CERTIFICATES, REPLY_TO, LIMIT, ...PAGE_OPTIONS],
      help: 'Additional options.',
    },
  ],
};
