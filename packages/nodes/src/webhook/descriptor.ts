import type { KindDescriptor, OptionDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { withHelp } from '../descriptors/with-help';

/** Default methods of a node that accepts several. */
export const DEFAULT_WEBHOOK_METHODS: readonly string[] = ['GET', 'POST'];

const METHODS: readonly OptionDescriptor[] = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'].map((value) => ({
  value,
  label: value,
}));

const options: readonly ParameterDescriptor[] = [
  {
    name: 'allowedOrigins',
    label: 'Allowed origins (CORS)',
    type: 'string',
    default: '*',
    fixed: true,
    placeholder: 'https://example.com',
  },
  { name: 'binaryData', label: 'Binary file', type: 'boolean', default: false, until: 1, fixed: true },
  {
    name: 'binaryPropertyName',
    label: 'Field name for binary data',
    type: 'string',
    default: 'data',
    fixed: true,
    help: 'For several files, a number is appended.',
  },
  { name: 'ignoreBots', label: 'Ignore bots', type: 'boolean', default: false, fixed: true },
  {
    name: 'ipWhitelist',
    label: 'IP(s) allowlist',
    type: 'string',
    default: '',
    fixed: true,
    help: 'Comma-separated IP addresses or CIDR blocks.',
    placeholder: '192.0.2.1, 198.51.100.0/24',
  },
  {
    name: 'noResponseBody',
    label: 'No response body',
    type: 'boolean',
    default: false,
    shownWhen: { '/responseMode': ['onReceived'] },
  },
  {
    name: 'onlyRunIf',
    label: 'Only run if',
    type: 'string',
    default: '',
    help:
      'An expression over the request, as `$json`. If it is falsy, the response is 200 ' +
      'and there is no execution; if it cannot be evaluated, the run continues.',
  },
  { name: 'rawBody', label: 'Raw body', type: 'boolean', default: false, fixed: true },
  {
    name: 'responseCode',
    label: 'Response code',
    type: 'fixedCollection',
    since: 2,
    hiddenWhen: { '/responseMode': ['responseNode'] },
    groups: [
      {
        name: 'values',
        label: 'Values',
        fields: [
          { name: 'responseCode', label: 'Code', type: 'number', default: 200, fixed: true },
          { name: 'customCode', label: 'Custom code', type: 'number', default: 200, fixed: true },
        ],
      },
    ],
  },
  {
    name: 'responseContentType',
    label: 'Content type',
    type: 'string',
    default: 'application/json',
    fixed: true,
    placeholder: 'text/plain',
  },
  {
    name: 'responseData',
    label: 'Respond',
    type: 'string',
    default: '',
    shownWhen: { '/responseMode': ['onReceived'] },
    fixed: true,
    editor: 'multiline',
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
          { name: 'name', label: 'Name', type: 'string', default: '', fixed: true },
          { name: 'value', label: 'Value', type: 'string', default: '', fixed: true },
        ],
      },
    ],
  },
  { name: 'responsePropertyName', label: 'Property name', type: 'string', default: 'data', fixed: true },
];

const HELP = {
  multipleMethods: 'Accepts several HTTP methods; the node has an output for each.',
  httpMethod: 'The accepted HTTP method, or an array of methods.',
  path: 'Path below `/webhook/`. May contain parameters: `orders/:id`. Default: the webhook id of the node.',
  authentication: 'How callers are authenticated.',
  responseMode: 'When the webhook responds, and which node responds.',
  responseCode: 'Status code of the response.',
  responseData: 'Data of the last node to return.',
  responseBinaryPropertyName: 'Name of the binary field to return.',
  options: 'Additional options.',
} as const;

/** Starts a run for each HTTP request to its URL. */
export const webhook: KindDescriptor = {
  kind: 'webhook',
  label: 'Webhook',
  description: 'Starts a run for each HTTP request to its URL while the workflow is active.',
  versions: [1, 1.1, 2, 2.1],
  groups: ['trigger'],
  isTrigger: true,
  inputs: [],
  outputs: ['main'],
  ports: [{ outputsBy: 'httpMethod', shownWhen: { multipleMethods: [true] } }],
  credentials: [
    { type: 'httpBasicAuth', required: true, shownWhen: { authentication: ['basicAuth'] } },
    { type: 'httpHeaderAuth', required: true, shownWhen: { authentication: ['headerAuth'] } },
    { type: 'jwtAuth', required: true, shownWhen: { authentication: ['jwtAuth'] } },
    { type: 'webhookSignature', required: true, shownWhen: { authentication: ['signature'] } },
  ],
  differs: [
    'There is no test URL: the URL responds while the workflow is active.',
    'The authentication `signature`, which is not in n8n, checks the HMAC of the raw body with a credential of type ' +
      '`webhookSignature`.',
  ],
  parameters: withHelp(HELP, [
    {
      name: 'multipleMethods',
      label: 'Allow multiple HTTP methods',
      type: 'boolean',
      default: false,
      fixed: true,
    },
    {
      name: 'httpMethod',
      label: 'HTTP method',
      type: 'options',
      default: 'GET',
      options: METHODS,
      fixed: true,
      hiddenWhen: { multipleMethods: [true] },
    },
    {
      name: 'httpMethod',
      label: 'HTTP methods',
      type: 'multiOptions',
      default: [...DEFAULT_WEBHOOK_METHODS],
      options: METHODS,
      fixed: true,
      shownWhen: { multipleMethods: [true] },
    },
    { name: 'path', label: 'Path', type: 'string', default: '', placeholder: 'orders' },
    {
      name: 'authentication',
      label: 'Authentication',
      type: 'options',
      default: 'none',
      fixed: true,
      options: [
        { value: 'none', label: 'None' },
        { value: 'basicAuth', label: 'Basic auth' },
        { value: 'headerAuth', label: 'Header auth' },
        { value: 'jwtAuth', label: 'JWT' },
        { value: 'signature', label: 'Signature (HMAC)' },
        {
          value: 'n8nOAuth2',
          label: 'User of the instance (OAuth2)',
          refused: 'Webhooks for signed-in users are not supported: use a JWT, or basic or header authentication.',
        },
      ],
    },
    {
      name: 'responseMode',
      label: 'Respond',
      type: 'options',
      default: 'onReceived',
      fixed: true,
      options: [
        { value: 'onReceived', label: 'Immediately' },
        { value: 'lastNode', label: 'When last node finishes' },
        { value: 'responseNode', label: "Using 'Respond to Webhook' node" },
        { value: 'streaming', label: 'Streaming', since: 2.1 },
      ],
    },
    {
      name: 'responseCode',
      label: 'Response code',
      type: 'number',
      default: 200,
      fixed: true,
      until: 1.1,
      hiddenWhen: { responseMode: ['responseNode'] },
    },
    {
      name: 'responseData',
      label: 'Response data',
      type: 'options',
      default: 'firstEntryJson',
      fixed: true,
      shownWhen: { responseMode: ['lastNode'] },
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
      fixed: true,
      shownWhen: { responseData: ['firstEntryBinary'] },
    },
    { name: 'options', label: 'Options', type: 'collection', default: {}, fields: options },
  ]),
};
