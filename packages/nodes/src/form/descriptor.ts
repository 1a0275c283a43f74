import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { APPEND_ATTRIBUTION, customCss, formFields } from '../descriptors/form-parameters';
import { withHelp } from '../descriptors/with-help';

const ON_PAGES = { operation: ['page'] };
const AT_THE_END = { operation: ['completion'] };
const AFTER_A_WHILE = { ...ON_PAGES, limitWaitTime: [true], limitType: ['afterTimeInterval'] };
const title: ParameterDescriptor = { name: 'formTitle', label: 'Title', type: 'string', default: '' };

const HELP = {
  operation: 'Whether to show a further form page or the form ending.',
  defineForm: 'Whether the fields are defined individually or as JSON.',
  formFields: 'The fields of the page, in order.',
  limitWaitTime: 'Resumes the run after a time limit.',
  limitType: 'How the time limit is specified.',
  resumeAmount: 'Number of units.',
  resumeUnit: 'Unit of the amount.',
  maxDateAndTime: 'Time at which the run resumes.',
  respondWith: 'Content of the form ending.',
  completionTitle: 'Title of the completion page.',
  completionMessage: 'Text of the completion page.',
  redirectUrl: 'URL that the visitor is redirected to.',
  inputDataFieldName: 'Name of the binary field to download.',
  options: 'Additional options.',
} as const;

/** Shows a further page to the visitor who submitted the form that started the run. */
export const form: KindDescriptor = {
  kind: 'form',
  label: 'Form',
  description: 'Shows a further page of a multi-page form and resumes when it is submitted, or shows the form ending.',
  versions: [1, 2.3, 2.4, 2.5],
  groups: ['input'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  parameters: withHelp(HELP, [
    {
      name: 'operation',
      label: 'Page type',
      type: 'options',
      default: 'page',
      options: [
        { value: 'page', label: 'Next form page' },
        { value: 'completion', label: 'Form ending' },
      ],
    },
    {
      name: 'defineForm',
      label: 'Define form',
      type: 'options',
      default: 'fields',
      shownWhen: ON_PAGES,
      options: [
        { value: 'fields', label: 'Using fields below' },
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
      help: 'A JSON array of form fields.',
      editor: 'json',
    },
    { name: 'limitWaitTime', label: 'Limit wait time', type: 'boolean', default: false, shownWhen: ON_PAGES },
    {
      name: 'limitType',
      label: 'Limit type',
      type: 'options',
      default: 'afterTimeInterval',
      shownWhen: { ...ON_PAGES, limitWaitTime: [true] },
      options: [
        { value: 'afterTimeInterval', label: 'After time interval' },
        { value: 'atSpecifiedTime', label: 'At specified time' },
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
      label: 'Max date and time',
      type: 'dateTime',
      default: '',
      shownWhen: { ...ON_PAGES, limitWaitTime: [true], limitType: ['atSpecifiedTime'] },
    },
    {
      name: 'respondWith',
      label: 'On form submission',
      type: 'options',
      default: 'text',
      shownWhen: AT_THE_END,
      options: [
        { value: 'text', label: 'Show completion screen' },
        { value: 'redirect', label: 'Redirect to URL' },
        { value: 'showText', label: 'Show text' },
        { value: 'returnBinary', label: 'Return binary file' },
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
      editor: 'multiline',
    },
    {
      name: 'redirectUrl',
      label: 'URL',
      type: 'string',
      default: '',
      required: true,
      shownWhen: { ...AT_THE_END, respondWith: ['redirect'] },
      placeholder: 'https://example.com/page',
    },
    {
      name: 'responseText',
      label: 'Show text',
      type: 'string',
      default: '',
      shownWhen: { ...AT_THE_END, respondWith: ['showText'] },
      help: 'Shown as a separate page, sandboxed like a webhook response.',
      editor: 'html',
    },
    {
      name: 'inputDataFieldName',
      label: 'Binary field',
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
        {
          name: 'formDescription',
          label: 'Description',
          type: 'string',
          default: '',
          help: 'Basic HTML is allowed.',
          editor: 'multiline',
        },
        { name: 'buttonLabel', label: 'Button label', type: 'string', default: 'Submit' },
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
