import type { KindDescriptor, OptionDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { withHelp } from '../descriptors/with-help';
import { APPEND_ATTRIBUTION, formFields, respondWithOptions } from '../descriptors/form-parameters';

const METHODS: readonly OptionDescriptor[] = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'].map((value) => ({
  value,
  label: value,
}));
const UNITS: readonly OptionDescriptor[] = ['seconds', 'minutes', 'hours', 'days'].map((value) => ({
  value,
  label: value,
}));
const FOR_WEBHOOK = { resume: ['webhook'] };
const FOR_FORM = { resume: ['form'] };
const FOR_CALLERS = { resume: ['webhook', 'form'] };
const LIMITED = { ...FOR_CALLERS, limitWaitTime: [true] };

const options: readonly ParameterDescriptor[] = [
  { name: 'binaryData', label: 'Binary file', type: 'boolean', default: false, until: 1 },
  { name: 'binaryPropertyName', label: 'Field name for binary data', type: 'string', default: 'data' },
  { name: 'ignoreBots', label: 'Ignore bots', type: 'boolean', default: false },
  {
    name: 'ipWhitelist',
    label: 'IP(s) allowlist',
    type: 'string',
    default: '',
    help: 'Comma-separated IP addresses or CIDR blocks.',
  },
  {
    name: 'noResponseBody',
    label: 'No response body',
    type: 'boolean',
    default: false,
    shownWhen: { '/responseMode': ['onReceived'] },
  },
  { name: 'onlyRunIf', label: 'Only run if', type: 'string', default: '', shownWhen: { '/resume': ['webhook'] } },
  { name: 'rawBody', label: 'Raw body', type: 'boolean', default: false },
  { name: 'responseContentType', label: 'Content type', type: 'string', default: 'application/json' },
  {
    name: 'responseData',
    label: 'Respond',
    type: 'string',
    default: '',
    shownWhen: { '/responseMode': ['onReceived'] },
  },
  {
    name: 'responseHeaders',
    label: 'Response headers',
    type: 'fixedCollection',
    multiple: true,
    groups: [
      {
        name: 'entries',
        label: 'Entries',
        fields: [
          { name: 'name', label: 'Name', type: 'string', default: '' },
          { name: 'value', label: 'Value', type: 'string', default: '' },
        ],
      },
    ],
  },
  { name: 'responsePropertyName', label: 'Property name', type: 'string', default: 'data' },
  {
    name: 'buttonLabel',
    label: 'Button label',
    type: 'string',
    default: 'Submit',
    shownWhen: { '/resume': ['form'] },
  },
  { ...respondWithOptions(false), shownWhen: { '/resume': ['form'] } },
  { ...APPEND_ATTRIBUTION, shownWhen: { '/resume': ['form'] } },
  {
    name: 'webhookSuffix',
    label: 'Webhook suffix',
    type: 'string',
    default: '',
    help: 'Appended to the URL of `$execution.resumeUrl` after a slash.',
  },
];

const HELP = {
  formFields: 'The fields of the form, in order.',
  formTitle: 'Title of the form.',
  resume: 'Event that resumes the run.',
  incomingAuthentication: 'How callers are authenticated.',
  amount: 'Waits below 65 seconds stay in the runner; longer waits pause the run in the store. Fractions are allowed.',
  unit: 'Unit of the amount.',
  httpMethod: 'The HTTP method that resumes the run.',
  responseMode: 'When the resume request is answered.',
  responseCode: '200 to 599.',
  responseData: 'Data of the last node that is returned.',
  responseBinaryPropertyName: 'Name of the binary field of the first item.',
  limitWaitTime: 'When the limit is reached, the run resumes with the input items of the node.',
  limitType: 'How the limit is specified.',
  resumeAmount: 'Number of units from now; fractions are allowed.',
  resumeUnit: 'Unit of the amount.',
  maxDateAndTime: 'In the timezone of the workflow unless it specifies one.',
  options: 'Additional options of the resume request.',
  'options.binaryData': 'Stores the body as a file instead of reading it.',
  'options.ignoreBots': 'Ignores link previews of mail and chat programs, which would otherwise resume the run.',
  'options.onlyRunIf':
    'An expression over the request, as `$json`. If it is falsy, the run keeps waiting; ' +
    'if it cannot be evaluated, the run resumes.',
  'options.rawBody': 'Stores the body as a file, in addition to the parsed body.',
  'options.responseData': 'Text of the immediate response.',
  'options.responsePropertyName': 'A field of the first item, in dot notation.',
} as const;

/** Makes a run wait for a time or a caller. */
export const wait: KindDescriptor = {
  kind: 'wait',
  label: 'Wait',
  description: 'Pauses the run for a time interval, until a specified time, or until its resume URL is called.',
  versions: [1, 1.1],
  groups: ['flow'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [
    { type: 'httpBasicAuth', required: true, shownWhen: { ...FOR_CALLERS, incomingAuthentication: ['basicAuth'] } },
    { type: 'httpHeaderAuth', required: true, shownWhen: { ...FOR_WEBHOOK, incomingAuthentication: ['headerAuth'] } },
    { type: 'jwtAuth', required: true, shownWhen: { ...FOR_WEBHOOK, incomingAuthentication: ['jwtAuth'] } },
  ],
  parameters: withHelp(HELP, [
    {
      name: 'resume',
      label: 'Resume',
      type: 'options',
      default: 'timeInterval',
      fixed: true,
      options: [
        { value: 'timeInterval', label: 'After time interval' },
        { value: 'specificTime', label: 'At specified time' },
        { value: 'webhook', label: 'On webhook call' },
        { value: 'form', label: 'On form submitted' },
      ],
    },
    {
      name: 'incomingAuthentication',
      label: 'Authentication',
      type: 'options',
      default: 'none',
      fixed: true,
      shownWhen: FOR_CALLERS,
      options: [
        { value: 'none', label: 'None' },
        { value: 'basicAuth', label: 'Basic auth' },
        { value: 'headerAuth', label: 'Header auth' },
        { value: 'jwtAuth', label: 'JWT' },
      ],
    },
    {
      name: 'dateTime',
      label: 'Date and time',
      type: 'dateTime',
      default: '',
      required: true,
      shownWhen: { resume: ['specificTime'] },
      help: 'In the timezone of the workflow unless it specifies one.',
    },
    {
      name: 'amount',
      label: 'Wait amount',
      type: 'number',
      default: 1,
      until: 1,
      shownWhen: { resume: ['timeInterval'] },
    },
    {
      name: 'amount',
      label: 'Wait amount',
      type: 'number',
      default: 5,
      since: 1.1,
      shownWhen: { resume: ['timeInterval'] },
    },
    {
      name: 'unit',
      label: 'Wait unit',
      type: 'options',
      default: 'hours',
      until: 1,
      options: UNITS,
      shownWhen: { resume: ['timeInterval'] },
    },
    {
      name: 'unit',
      label: 'Wait unit',
      type: 'options',
      default: 'seconds',
      since: 1.1,
      options: UNITS,
      shownWhen: { resume: ['timeInterval'] },
    },
    {
      name: 'httpMethod',
      label: 'HTTP method',
      type: 'options',
      default: 'GET',
      options: METHODS,
      shownWhen: FOR_WEBHOOK,
    },
    {
      name: 'responseMode',
      label: 'Respond',
      type: 'options',
      default: 'onReceived',
      shownWhen: FOR_CALLERS,
      options: [
        { value: 'onReceived', label: 'Immediately' },
        { value: 'lastNode', label: 'When last node finishes' },
        { value: 'responseNode', label: "Using 'Respond to Webhook' node" },
      ],
    },
    {
      name: 'responseCode',
      label: 'Response code',
      type: 'number',
      default: 200,
      shownWhen: FOR_WEBHOOK,
      hiddenWhen: { responseMode: ['responseNode'] },
    },
    {
      name: 'responseData',
      label: 'Response data',
      type: 'options',
      default: 'firstEntryJson',
      shownWhen: { ...FOR_WEBHOOK, responseMode: ['lastNode'] },
      options: [
        { value: 'allEntries', label: 'All entries' },
        { value: 'firstEntryJson', label: 'First entry JSON' },
        { value: 'firstEntryBinary', label: 'First entry binary' },
        { value: 'noData', label: 'No data' },
      ],
    },
    {
      name: 'responseBinaryPropertyName',
      label: 'Binary field',
      type: 'string',
      default: 'data',
      shownWhen: { ...FOR_WEBHOOK, responseData: ['firstEntryBinary'] },
    },
    { name: 'formTitle', label: 'Title', type: 'string', default: '', shownWhen: FOR_FORM },
    {
      name: 'formDescription',
      label: 'Description',
      type: 'string',
      default: '',
      shownWhen: FOR_FORM,
      help: 'Basic HTML is allowed.',
    },
    formFields(false, { shownWhen: FOR_FORM }),
    { name: 'limitWaitTime', label: 'Limit wait time', type: 'boolean', default: false, shownWhen: FOR_CALLERS },
    {
      name: 'limitType',
      label: 'Limit type',
      type: 'options',
      default: 'afterTimeInterval',
      shownWhen: LIMITED,
      options: [
        { value: 'afterTimeInterval', label: 'After time interval' },
        { value: 'atSpecifiedTime', label: 'At specified time' },
      ],
    },
    {
      name: 'resumeAmount',
      label: 'Wait amount',
      type: 'number',
      default: 1,
      shownWhen: { ...LIMITED, limitType: ['afterTimeInterval'] },
    },
    {
      name: 'resumeUnit',
      label: 'Wait unit',
      type: 'options',
      default: 'hours',
      options: UNITS,
      shownWhen: { ...LIMITED, limitType: ['afterTimeInterval'] },
    },
    {
      name: 'maxDateAndTime',
      label: 'Date and time',
      type: 'dateTime',
      default: '',
      shownWhen: { ...LIMITED, limitType: ['atSpecifiedTime'] },
    },
    { name: 'options', label: 'Options', type: 'collection', default: {}, fields: options, shownWhen: FOR_CALLERS },
  ]),
};
