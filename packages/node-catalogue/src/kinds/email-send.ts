import type { KindDescriptor, ParameterDescriptor } from '../descriptor';
import { text } from './build-parameters';
import { customCss, formFields } from './form-parameters';

const CERTIFICATES: ParameterDescriptor = {
  name: 'allowUnauthorizedCerts',
  label: 'Ignore SSL issues',
  type: 'boolean',
  default: false,
  help: 'Accept certificates that cannot be verified.',
};
const REPLY_TO = text('replyTo', 'Reply to', '', { help: 'Where answers go.' });
const ATTACHMENTS = text('attachments', 'Attachments', '', {
  help: 'Names of the files of the item, separated by commas. The HTML can show one as cid:<name>.',
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

/** What a mail that waits for an answer has of its own. */
const QUESTION: readonly ParameterDescriptor[] = [
  text('message', 'Message', '', {
    since: 2.1,
    shownWhen: ASKS,
    required: true,
    help: 'Text above the buttons. Markup in it has no effect.',
  }),
  {
    name: 'responseType',
    label: 'Answer',
    type: 'options',
    default: 'approval',
    since: 2.1,
    shownWhen: ASKS,
    help: 'A press of a button, or a page that the button of the mail leads to.',
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
    help: 'What the buttons say.',
    since: 2.1,
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
              { value: 'double', label: 'Approve and decline' },
            ],
          },
          text('approveLabel', 'Label to approve', 'Approve'),
          text('disapproveLabel', 'Label to decline', 'Decline'),
          text('buttonApprovalStyle', 'Style to approve', 'primary', {
            help: 'Changes nothing: all buttons look the same.',
          }),
          text('buttonDisapprovalStyle', 'Style to decline', 'secondary', {
            help: 'Changes nothing: all buttons look the same.',
          }),
        ],
      },
    ],
  },
  {
    name: 'defineForm',
    label: 'Fields by',
    type: 'options',
    default: 'fields',
    since: 2.1,
    shownWhen: ASKS_FORM,
    help: 'How the fields of the page are stated.',
    options: [
      { value: 'fields', label: 'List' },
      { value: 'json', label: 'JSON' },
    ],
  },
  formFields(false, {
    since: 2.1,
    shownWhen: { ...ASKS_FORM, defineForm: ['fields'] },
    help: 'What the page asks for.',
  }),
  {
    name: 'jsonOutput',
    label: 'Fields',
    type: 'json',
    default: '[]',
    since: 2.1,
    shownWhen: { ...ASKS_FORM, defineForm: ['json'] },
    help: 'A list of fields, as in the list.',
  },
];

/** How long an answer is waited for. */
const LIMIT: ParameterDescriptor = {
  name: 'limitWaitTime',
  label: 'Limit of the wait',
  type: 'fixedCollection',
  help: 'After the limit the items of the node pass through.',
  groups: [
    {
      name: 'values',
      label: 'Limit',
      fields: [
        {
          name: 'limitType',
          label: 'Limit',
          type: 'options',
          default: 'afterTimeInterval',
          options: [
            { value: 'afterTimeInterval', label: 'After a while' },
            { value: 'atSpecifiedTime', label: 'At a moment' },
          ],
        },
        {
          name: 'resumeAmount',
          label: 'How long',
          type: 'number',
          default: 45,
          shownWhen: { limitType: ['afterTimeInterval'] },
        },
        {
          name: 'resumeUnit',
          label: 'Unit',
          type: 'options',
          default: 'minutes',
          shownWhen: { limitType: ['afterTimeInterval'] },
          options: ['seconds', 'minutes', 'hours', 'days'].map((value) => ({ value, label: value })),
        },
        {
          name: 'maxDateAndTime',
          label: 'Moment',
          type: 'dateTime',
          default: '',
          shownWhen: { limitType: ['atSpecifiedTime'] },
        },
      ],
    },
  ],
};
/** How the page of a question looks. */
const PAGE_OPTIONS: readonly ParameterDescriptor[] = [
  text('messageButtonLabel', 'Label of the button', 'Respond', { help: 'In the mail, where it leads to a page.' }),
  text('responseFormTitle', 'Title of the page', '', { help: 'The subject if empty.' }),
  text('responseFormDescription', 'Description of the page', '', {
    help: 'The message if empty. Simple HTML is allowed.',
  }),
  text('responseFormButtonLabel', 'Button of the page', 'Submit', { help: 'Sends the answer.' }),
  { ...customCss(false), name: 'responseFormCustomCss' },
];
const NO_ATTRIBUTION: ParameterDescriptor = {
  name: 'appendAttribution',
  label: 'Append attribution',
  type: 'boolean',
  default: false,
  help: 'Changes nothing: no text is ever added to a mail here.',
};
const CC = text('ccEmail', 'CC email', '', { help: 'Further recipients, separated by commas.' });
const BCC = text('bccEmail', 'BCC email', '', { help: 'Recipients that the others do not see.' });

/** Sends mail over SMTP. */
export const emailSend: KindDescriptor = {
  kind: 'emailSend',
  label: 'Send email',
  description: 'Sends a mail for each item over SMTP, or one mail with buttons and waits for the answer.',
  versions: [1, 2, 2.1],
  groups: ['output'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [{ type: 'smtp', required: true }],
  differs: [
    'Nothing is ever added to a mail: `appendAttribution` changes nothing.',
    '`sendAndWait` sends one mail for the first item. Its buttons are links: one to approve answers when it ' +
      'is opened, and calls of known crawlers are refused.',
    'The Message-ID is the same each time a run sends the same mail, so that a repetition after a crash can be told.',
  ],
  parameters: [
    {
      name: 'resource',
      label: 'Resource',
      type: 'options',
      default: 'email',
      since: 2,
      options: [{ value: 'email', label: 'Email' }],
      help: 'There is one alone.',
    },
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'send',
      since: 2.1,
      help: 'Send, or send and let the run wait for the answer.',
      options: [
        { value: 'send', label: 'Send' },
        { value: 'sendAndWait', label: 'Send and wait for response' },
      ],
    },
    text('fromEmail', 'From email', '', { required: true, help: 'Name <address@example.com>, or the address alone.' }),
    text('toEmail', 'To email', '', { required: true, help: 'One address, or several separated by commas.' }),
    { ...CC, until: 1 },
    { ...BCC, until: 1 },
    text('subject', 'Subject', '', { help: 'Line breaks in it become spaces.' }),
    ...QUESTION,
    format({ default: 'text', since: 2, until: 2, help: 'What the mail holds.' }),
    format({ default: 'html', since: 2.1, hiddenWhen: ASKS, help: 'What the mail holds.' }),
    text('text', 'Text', '', { until: 1, help: 'The mail as text.' }),
    text('html', 'HTML', '', { until: 1, help: 'The mail as HTML.' }),
    text('text', 'Text', '', {
      ...SINCE_2,
      hiddenWhen: ASKS,
      shownWhen: { emailFormat: ['text', 'both'] },
      help: 'The mail as text.',
    }),
    text('html', 'HTML', '', {
      ...SINCE_2,
      hiddenWhen: ASKS,
      shownWhen: { emailFormat: ['html', 'both'] },
      help: 'The mail as HTML.',
    }),
    { ...ATTACHMENTS, until: 1 },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      until: 1,
      fields: [CERTIFICATES, REPLY_TO],
      help: 'Less common settings.',
    },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      ...SINCE_2,
      fields: [NO_ATTRIBUTION, ATTACHMENTS, CC, BCC, CERTIFICATES, REPLY_TO, LIMIT, ...PAGE_OPTIONS],
      help: 'Less common settings.',
    },
  ],
};
