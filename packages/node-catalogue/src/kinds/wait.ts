import type { KindDescriptor, OptionDescriptor, ParameterDescriptor } from '../descriptor';
import { withHelp } from './with-help';
import { APPEND_ATTRIBUTION, formFields, respondWithOptions } from './form-parameters';

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
  { name: 'binaryPropertyName', label: 'Field for files', type: 'string', default: 'data' },
  { name: 'ignoreBots', label: 'Refuse crawlers', type: 'boolean', default: false },
  {
    name: 'ipWhitelist',
    label: 'Allowed addresses',
    type: 'string',
    default: '',
    help: 'Addresses or CIDR blocks, separated by commas.',
  },
  {
    name: 'noResponseBody',
    label: 'Answer without a body',
    type: 'boolean',
    default: false,
    shownWhen: { '/responseMode': ['onReceived'] },
  },
  { name: 'rawBody', label: 'Keep the body as it came', type: 'boolean', default: false },
  { name: 'responseContentType', label: 'Content type', type: 'string', default: 'application/json' },
  {
    name: 'responseData',
    label: 'Answer',
    type: 'string',
    default: '',
    shownWhen: { '/responseMode': ['onReceived'] },
  },
  {
    name: 'responseHeaders',
    label: 'Headers',
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
  { name: 'responsePropertyName', label: 'Field that is the answer', type: 'string', default: 'data' },
  {
    name: 'buttonLabel',
    label: 'Text of the button',
    type: 'string',
    default: 'Submit',
    shownWhen: { '/resume': ['form'] },
  },
  { ...respondWithOptions(false), shownWhen: { '/resume': ['form'] } },
  { ...APPEND_ATTRIBUTION, shownWhen: { '/resume': ['form'] } },
  {
    name: 'webhookSuffix',
    label: 'End of the address',
    type: 'string',
    default: '',
    help: 'Follows the address that `$execution.resumeUrl` gives, after a slash.',
  },
];

const HELP = {
  formFields: 'The fields of the form, in order.',
  formTitle: 'What stands above the form.',
  resume: 'What ends the wait.',
  incomingAuthentication: 'What callers have to show.',
  amount:
    'Less than 65 seconds are waited through by the runner; longer waits pause the run in the store. Fractions count.',
  unit: 'What the amount counts.',
  httpMethod: 'The only method that wakes the run.',
  responseMode: 'When the caller who wakes the run is answered.',
  responseCode: '200 to 599.',
  responseData: 'What of the last node is the answer.',
  responseBinaryPropertyName: 'Name of the file in the first item.',
  limitWaitTime: 'After the limit the run goes on without a caller, with the items that came to the node.',
  limitType: 'How the limit is stated.',
  resumeAmount: 'As many units from now; fractions count.',
  resumeUnit: 'What the amount counts.',
  maxDateAndTime: 'In the zone of the workflow, unless it names one.',
  options: 'Less common settings of the call.',
  'options.ignoreBots': 'Link previews of mail and chat programs would wake the run otherwise.',
  'options.rawBody': 'As a file, besides what is read of it.',
  'options.responseData': 'Text of the answer that is given at once.',
  'options.responsePropertyName': 'A field of the first item; a path may lead into it.',
} as const;

/** Lets a run wait for a time or a caller. */
export const wait: KindDescriptor = {
  kind: 'wait',
  label: 'Wait',
  description: 'Lets the run wait: for a while, until a moment, or until somebody calls an address of the run.',
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
      label: 'Goes on',
      type: 'options',
      default: 'timeInterval',
      fixed: true,
      options: [
        { value: 'timeInterval', label: 'After a while' },
        { value: 'specificTime', label: 'At a moment' },
        { value: 'webhook', label: 'When its address is called' },
        { value: 'form', label: 'When a form is filled in' },
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
        { value: 'basicAuth', label: 'Basic' },
        { value: 'headerAuth', label: 'Header' },
        { value: 'jwtAuth', label: 'JWT' },
      ],
    },
    {
      name: 'dateTime',
      label: 'Moment',
      type: 'dateTime',
      default: '',
      required: true,
      shownWhen: { resume: ['specificTime'] },
      help: 'In the zone of the workflow, unless it names one.',
    },
    {
      name: 'amount',
      label: 'How long',
      type: 'number',
      default: 1,
      until: 1,
      shownWhen: { resume: ['timeInterval'] },
    },
    {
      name: 'amount',
      label: 'How long',
      type: 'number',
      default: 5,
      since: 1.1,
      shownWhen: { resume: ['timeInterval'] },
    },
    {
      name: 'unit',
      label: 'Unit',
      type: 'options',
      default: 'hours',
      until: 1,
      options: UNITS,
      shownWhen: { resume: ['timeInterval'] },
    },
    {
      name: 'unit',
      label: 'Unit',
      type: 'options',
      default: 'seconds',
      since: 1.1,
      options: UNITS,
      shownWhen: { resume: ['timeInterval'] },
    },
    { name: 'httpMethod', label: 'Method', type: 'options', default: 'GET', options: METHODS, shownWhen: FOR_WEBHOOK },
    {
      name: 'responseMode',
      label: 'Answer',
      type: 'options',
      default: 'onReceived',
      shownWhen: FOR_CALLERS,
      options: [
        { value: 'onReceived', label: 'At once' },
        { value: 'lastNode', label: 'When the last node is done' },
        { value: 'responseNode', label: 'By a Respond to Webhook node' },
      ],
    },
    {
      name: 'responseCode',
      label: 'Status code',
      type: 'number',
      default: 200,
      shownWhen: FOR_WEBHOOK,
      hiddenWhen: { responseMode: ['responseNode'] },
    },
    {
      name: 'responseData',
      label: 'Answer data',
      type: 'options',
      default: 'firstEntryJson',
      shownWhen: { ...FOR_WEBHOOK, responseMode: ['lastNode'] },
      options: [
        { value: 'allEntries', label: 'All items' },
        { value: 'firstEntryJson', label: 'First item' },
        { value: 'firstEntryBinary', label: 'File of the first item' },
        { value: 'noData', label: 'Nothing' },
      ],
    },
    {
      name: 'responseBinaryPropertyName',
      label: 'Field of the file',
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
      help: 'Simple HTML is allowed.',
    },
    formFields(false, { shownWhen: FOR_FORM }),
    { name: 'limitWaitTime', label: 'Wait no longer than', type: 'boolean', default: false, shownWhen: FOR_CALLERS },
    {
      name: 'limitType',
      label: 'Limit',
      type: 'options',
      default: 'afterTimeInterval',
      shownWhen: LIMITED,
      options: [
        { value: 'afterTimeInterval', label: 'A while' },
        { value: 'atSpecifiedTime', label: 'A moment' },
      ],
    },
    {
      name: 'resumeAmount',
      label: 'How long',
      type: 'number',
      default: 1,
      shownWhen: { ...LIMITED, limitType: ['afterTimeInterval'] },
    },
    {
      name: 'resumeUnit',
      label: 'Unit',
      type: 'options',
      default: 'hours',
      options: UNITS,
      shownWhen: { ...LIMITED, limitType: ['afterTimeInterval'] },
    },
    {
      name: 'maxDateAndTime',
      label: 'Moment',
      type: 'dateTime',
      default: '',
      shownWhen: { ...LIMITED, limitType: ['atSpecifiedTime'] },
    },
    { name: 'options', label: 'Options', type: 'collection', default: {}, fields: options, shownWhen: FOR_CALLERS },
  ]),
};
