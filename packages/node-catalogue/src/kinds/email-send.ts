import type { KindDescriptor, ParameterDescriptor } from '../descriptor';

const text = (name: string, label: string, over: Partial<ParameterDescriptor> = {}): ParameterDescriptor => ({ name, label, type: 'string', default: '', ...over });

const CERTIFICATES: ParameterDescriptor = { name: 'allowUnauthorizedCerts', label: 'Ignore SSL issues', type: 'boolean', default: false };
const REPLY_TO = text('replyTo', 'Reply to');
const ATTACHMENTS = text('attachments', 'Attachments', { help: 'Names of the files of the item, separated by commas. The HTML can show one as cid:<name>.' });
const SINCE_2 = { since: 2 };
const format = (value: Partial<ParameterDescriptor>): ParameterDescriptor => ({
  name: 'emailFormat', label: 'Format', type: 'options', options: [{ value: 'text', label: 'Text' }, { value: 'html', label: 'HTML' }, { value: 'both', label: 'Both' }], ...value,
});

/** Sends mail over SMTP. */
export const emailSend: KindDescriptor = {
  kind: 'emailSend',
  label: 'Send email',
  description: 'Sends a mail for each item over SMTP.',
  versions: [1, 2, 2.1],
  groups: ['output'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [{ type: 'smtp', required: true }],
  parameters: [
    { name: 'resource', label: 'Resource', type: 'options', default: 'email', since: 2, options: [{ value: 'email', label: 'Email' }] },
    {
      name: 'operation', label: 'Operation', type: 'options', default: 'send', since: 2.1,
      options: [{ value: 'send', label: 'Send' }, { value: 'sendAndWait', label: 'Send and wait for response', refused: 'Sending a mail and waiting for its answer is not supported yet. Send the mail with {{ $execution.resumeUrl }} in it, and put a Wait node behind it that goes on by webhook.' }],
    },
    text('fromEmail', 'From email', { required: true, help: 'Name <address@example.com>, or the address alone.' }),
    text('toEmail', 'To email', { required: true, help: 'One address, or several separated by commas.' }),
    text('ccEmail', 'CC email', { until: 1 }),
    text('bccEmail', 'BCC email', { until: 1 }),
    text('subject', 'Subject'),
    format({ default: 'text', since: 2, until: 2 }),
    format({ default: 'html', since: 2.1 }),
    text('text', 'Text', { until: 1 }),
    text('html', 'HTML', { until: 1 }),
    text('text', 'Text', { ...SINCE_2, shownWhen: { emailFormat: ['text', 'both'] } }),
    text('html', 'HTML', { ...SINCE_2, shownWhen: { emailFormat: ['html', 'both'] } }),
    { ...ATTACHMENTS, until: 1 },
    { name: 'options', label: 'Options', type: 'collection', default: {}, until: 1, fields: [CERTIFICATES, REPLY_TO] },
    {
      name: 'options', label: 'Options', type: 'collection', default: {}, ...SINCE_2,
      fields: [
        { name: 'appendAttribution', label: 'Append attribution', type: 'boolean', default: false, help: 'Changes nothing: no text is ever added to a mail here.' },
        ATTACHMENTS, text('ccEmail', 'CC email'), text('bccEmail', 'BCC email'), CERTIFICATES, REPLY_TO,
      ],
    },
  ],
};
