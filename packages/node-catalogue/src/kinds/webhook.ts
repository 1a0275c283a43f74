import type { KindDescriptor, OptionDescriptor, ParameterDescriptor } from '../descriptor';
import { withHelp } from './with-help';

const METHODS: readonly OptionDescriptor[] = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'].map((value) => ({
  value,
  label: value,
}));

const options: readonly ParameterDescriptor[] = [
  { name: 'allowedOrigins', label: 'Allowed origins (CORS)', type: 'string', default: '*', fixed: true },
  { name: 'binaryData', label: 'Body is a file', type: 'boolean', default: false, until: 1, fixed: true },
  {
    name: 'binaryPropertyName',
    label: 'Field for files',
    type: 'string',
    default: 'data',
    fixed: true,
    help: 'Of several parts, the name is followed by a number.',
  },
  { name: 'ignoreBots', label: 'Refuse crawlers', type: 'boolean', default: false, fixed: true },
  {
    name: 'ipWhitelist',
    label: 'Allowed addresses',
    type: 'string',
    default: '',
    fixed: true,
    help: 'Addresses or CIDR blocks, separated by commas.',
  },
  {
    name: 'noResponseBody',
    label: 'Answer without a body',
    type: 'boolean',
    default: false,
    shownWhen: { '/responseMode': ['onReceived'] },
  },
  {
    name: 'onlyRunIf',
    label: 'Run only if',
    type: 'string',
    default: '',
    refused: 'The option "Run only if" is not supported: put an If node behind the webhook.',
  },
  { name: 'rawBody', label: 'Keep the body as it came', type: 'boolean', default: false, since: 1.1, fixed: true },
  {
    name: 'responseCode',
    label: 'Status code',
    type: 'fixedCollection',
    since: 2,
    hiddenWhen: { '/responseMode': ['responseNode'] },
    groups: [
      {
        name: 'values',
        label: 'Values',
        fields: [
          { name: 'responseCode', label: 'Code', type: 'number', default: 200, fixed: true },
          { name: 'customCode', label: 'Other code', type: 'number', default: 200, fixed: true },
        ],
      },
    ],
  },
  { name: 'responseContentType', label: 'Content type', type: 'string', default: 'application/json', fixed: true },
  {
    name: 'responseData',
    label: 'Answer',
    type: 'string',
    default: '',
    shownWhen: { '/responseMode': ['onReceived'] },
    fixed: true,
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
          { name: 'name', label: 'Name', type: 'string', default: '', fixed: true },
          { name: 'value', label: 'Value', type: 'string', default: '', fixed: true },
        ],
      },
    ],
  },
  { name: 'responsePropertyName', label: 'Field that is the answer', type: 'string', default: 'data', fixed: true },
];

const HELP = {
  multipleMethods: 'The address answers several methods.',
  httpMethod: 'The method, or the list of methods, that the address answers.',
  path: 'Below `/webhook/`. May hold parameters: `orders/:id`. Where it is empty, the webhook id of the node counts.',
  authentication: 'What a caller has to show.',
  responseMode: 'When and by whom the caller is answered.',
  responseCode: 'The status of the answer.',
  responseData: 'What of the last node the answer holds.',
  responseBinaryPropertyName: 'The field of the file that is the answer.',
  options: 'Less common settings.',
} as const;

/** Begins a run for each HTTP request to its address. */
export const webhook: KindDescriptor = {
  kind: 'webhook',
  label: 'Webhook',
  description: 'Begins a run for every HTTP request to its address, while the workflow is active.',
  versions: [1, 1.1, 2, 2.1],
  groups: ['trigger'],
  isTrigger: true,
  inputs: [],
  outputs: ['main'],
  credentials: [
    { type: 'httpBasicAuth', required: true, shownWhen: { authentication: ['basicAuth'] } },
    { type: 'httpHeaderAuth', required: true, shownWhen: { authentication: ['headerAuth'] } },
    { type: 'jwtAuth', required: true, shownWhen: { authentication: ['jwtAuth'] } },
  ],
  differs: ['There is no test address: the address answers while the workflow is active.'],
  parameters: withHelp(HELP, [
    { name: 'multipleMethods', label: 'Several methods', type: 'boolean', default: false, since: 2, fixed: true },
    {
      name: 'httpMethod',
      label: 'Method',
      type: 'options',
      default: 'GET',
      options: METHODS,
      fixed: true,
      hiddenWhen: { multipleMethods: [true] },
    },
    {
      name: 'httpMethod',
      label: 'Methods',
      type: 'multiOptions',
      default: ['GET', 'POST'],
      since: 2,
      options: METHODS,
      fixed: true,
      shownWhen: { multipleMethods: [true] },
    },
    { name: 'path', label: 'Path', type: 'string', default: '' },
    {
      name: 'authentication',
      label: 'Authentication',
      type: 'options',
      default: 'none',
      fixed: true,
      options: [
        { value: 'none', label: 'None' },
        { value: 'basicAuth', label: 'Basic' },
        { value: 'headerAuth', label: 'Header' },
        { value: 'jwtAuth', label: 'JWT' },
      ],
    },
    {
      name: 'responseMode',
      label: 'Answer',
      type: 'options',
      default: 'onReceived',
      fixed: true,
      options: [
        { value: 'onReceived', label: 'At once' },
        { value: 'lastNode', label: 'When the last node is done' },
        { value: 'responseNode', label: 'By a Respond to Webhook node' },
        {
          value: 'streaming',
          label: 'Streaming',
          since: 2.1,
          refused: 'Streaming answers are not supported: answer with the last node or with a Respond to Webhook node.',
        },
      ],
    },
    {
      name: 'responseCode',
      label: 'Status code',
      type: 'number',
      default: 200,
      fixed: true,
      until: 1.1,
      hiddenWhen: { responseMode: ['responseNode'] },
    },
    {
      name: 'responseData',
      label: 'Answer data',
      type: 'options',
      default: 'firstEntryJson',
      fixed: true,
      shownWhen: { responseMode: ['lastNode'] },
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
      fixed: true,
      shownWhen: { responseData: ['firstEntryBinary'] },
    },
    { name: 'options', label: 'Options', type: 'collection', default: {}, fields: options },
  ]),
};
