import type { KindDescriptor, ParameterDescriptor } from '../descriptor';
import { APPEND_ATTRIBUTION, customCss, formFields } from './form-parameters';
import { withHelp } from './with-help';

const ON_PAGES = { operation: ['page'] };
const AT_THE_END = { operation: ['completion'] };
const AFTER_A_WHILE = { ...ON_PAGES, limitWaitTime: [true], limitType: ['afterTimeInterval'] };
const title: ParameterDescriptor = { name: 'formTitle', label: 'Title', type: 'string', default: '' };

const HELP = {
  operation: 'Another page to fill in, or the end.',
  defineForm: 'Whether the fields are stated one by one or as JSON.',
  formFields: 'The fields of the page, in order.',
  limitWaitTime: 'The run goes on by itself after a while.',
  limitType: 'How the end of the wait is stated.',
  resumeAmount: 'How many units.',
  resumeUnit: 'The unit.',
  maxDateAndTime: 'When the run goes on by itself.',
  respondWith: 'What the last page is.',
  completionTitle: 'What stands above the text.',
  completionMessage: 'The text of the last page.',
  redirectUrl: 'Where the visitor is sent.',
  inputDataFieldName: 'The field of the file that is handed out.',
  options: 'Less common settings.',
} as const;

/** Shows a further page to whoever sent the form that began the run. */
export const form: KindDescriptor = {
  kind: 'form',
  label: 'Form',
  description:
    'Shows a further page to whoever sent the form that began the run, and goes on when it is sent; or ends the form.',
  versions: [1, 2.3, 2.4, 2.5],
  groups: ['input'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  parameters: withHelp(HELP, [
    {
      name: 'operation',
      label: 'Page',
      type: 'options',
      default: 'page',
      options: [
        { value: 'page', label: 'Next page' },
        { value: 'completion', label: 'End of the form' },
      ],
    },
    {
      name: 'defineForm',
      label: 'Fields by',
      type: 'options',
      default: 'fields',
      shownWhen: ON_PAGES,
      options: [
        { value: 'fields', label: 'List' },
        { value: 'json', label: 'JSON' },
      ],
    },
    formFields(false, { shownWhen: { ...ON_PAGES, defineForm: ['fields'] } }),
    {
      name: 'jsonOutput',
      label: 'Fields',
      type: 'json',
      default: '[]',
      shownWhen: { ...ON_PAGES, defineForm: ['json'] },
      help: 'A list of fields, as in the list.',
    },
    { name: 'limitWaitTime', label: 'Wait for a limited time', type: 'boolean', default: false, shownWhen: ON_PAGES },
    {
      name: 'limitType',
      label: 'Until',
      type: 'options',
      default: 'afterTimeInterval',
      shownWhen: { ...ON_PAGES, limitWaitTime: [true] },
      options: [
        { value: 'afterTimeInterval', label: 'After a while' },
        { value: 'atSpecifiedTime', label: 'At a time' },
      ],
    },
    { name: 'resumeAmount', label: 'Amount', type: 'number', default: 1, shownWhen: AFTER_A_WHILE },
    {
      name: 'resumeUnit',
      label: 'Unit',
      type: 'options',
      default: 'hours',
      shownWhen: AFTER_A_WHILE,
      options: ['seconds', 'minutes', 'hours', 'days'].map((value) => ({ value, label: value })),
    },
    {
      name: 'maxDateAndTime',
      label: 'Time',
      type: 'dateTime',
      default: '',
      shownWhen: { ...ON_PAGES, limitWaitTime: [true], limitType: ['atSpecifiedTime'] },
    },
    {
      name: 'respondWith',
      label: 'Show',
      type: 'options',
      default: 'text',
      shownWhen: AT_THE_END,
      options: [
        { value: 'text', label: 'A title and a message' },
        { value: 'redirect', label: 'Another page' },
        { value: 'showText', label: 'HTML' },
        { value: 'returnBinary', label: 'A file to save' },
      ],
    },
    {
      name: 'completionTitle',
      label: 'Title',
      type: 'string',
      default: '',
      shownWhen: { ...AT_THE_END, respondWith: ['text', 'returnBinary'] },
    },
    {
      name: 'completionMessage',
      label: 'Message',
      type: 'string',
      default: '',
      shownWhen: { ...AT_THE_END, respondWith: ['text', 'returnBinary'] },
    },
    {
      name: 'redirectUrl',
      label: 'Address',
      type: 'string',
      default: '',
      required: true,
      shownWhen: { ...AT_THE_END, respondWith: ['redirect'] },
    },
    {
      name: 'responseText',
      label: 'HTML',
      type: 'string',
      default: '',
      shownWhen: { ...AT_THE_END, respondWith: ['showText'] },
      help: 'Shown as a page of its own, as guarded as the answer of a webhook.',
    },
    {
      name: 'inputDataFieldName',
      label: 'Field of the file',
      type: 'string',
      default: 'data',
      shownWhen: { ...AT_THE_END, respondWith: ['returnBinary'] },
    },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      shownWhen: ON_PAGES,
      fields: [
        APPEND_ATTRIBUTION,
        title,
        { name: 'formDescription', label: 'Description', type: 'string', default: '', help: 'Simple HTML is allowed.' },
        { name: 'buttonLabel', label: 'Text of the button', type: 'string', default: 'Submit' },
        customCss(false),
      ],
    },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      shownWhen: AT_THE_END,
      fields: [APPEND_ATTRIBUTION, title, customCss(false)],
    },
  ]),
};
