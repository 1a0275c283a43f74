import type { ParameterDescriptor } from '@weft/node-catalogue';
import { choice } from '../descriptors/build-parameters';

const olderPairs = (name: string, label: string): ParameterDescriptor => ({
  name,
  label,
  type: 'fixedCollection',
  multiple: true,
  default: {},
  until: 2,
  shownWhen: { jsonParameters: [false] },
  groups: [
    {
      name: 'parameter',
      label: 'Parameter',
      fields: [
        { name: 'name', label: 'Name', type: 'string', default: '' },
        { name: 'value', label: 'Value', type: 'string', default: '' },
      ],
    },
  ],
});
const olderJson = (name: string, label: string): ParameterDescriptor => ({
  name,
  label,
  type: 'json',
  editor: 'json',
  default: '',
  until: 2,
  shownWhen: { jsonParameters: [true] },
});

/** Parameters that versions 1 and 2 name differently. */
export const OLDER_PARAMETERS: readonly ParameterDescriptor[] = [
  {
    name: 'requestMethod',
    label: 'Request method',
    type: 'options',
    default: 'GET',
    until: 2,
    options: ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'].map((value) => choice(value, value)),
  },
  {
    name: 'authentication',
    label: 'Authentication',
    type: 'options',
    default: 'none',
    until: 1,
    options: [
      choice('none', 'None'),
      choice('basicAuth', 'Basic'),
      choice('headerAuth', 'Header'),
      choice('queryAuth', 'Query'),
      choice('digestAuth', 'Digest'),
      choice('oAuth1', 'OAuth1'),
      choice('oAuth2', 'OAuth2'),
    ],
  },
  {
    name: 'responseFormat',
    label: 'Response format',
    type: 'options',
    default: 'json',
    until: 2,
    options: [choice('file', 'File'), choice('json', 'JSON'), choice('string', 'Text')],
  },
  { name: 'dataPropertyName', label: 'Property name', type: 'string', default: 'data', until: 2 },
  { name: 'allowUnauthorizedCerts', label: 'Ignore SSL issues', type: 'boolean', default: false, until: 2 },
  { name: 'jsonParameters', label: 'JSON/RAW parameters', type: 'boolean', default: false, until: 2 },
  { name: 'sendBinaryData', label: 'Send binary file', type: 'boolean', default: false, until: 2 },
  { name: 'binaryPropertyName', label: 'Binary field', type: 'string', default: 'data', until: 2 },
  olderPairs('bodyParametersUi', 'Body'),
  olderPairs('headerParametersUi', 'Headers'),
  olderPairs('queryParametersUi', 'Query'),
  olderJson('bodyParametersJson', 'Body parameters'),
  olderJson('headerParametersJson', 'Headers'),
  olderJson('queryParametersJson', 'Query parameters'),
  {
    name: 'options',
    label: 'Options',
    type: 'collection',
    default: {},
    until: 2,
    fields: [
      { name: 'batchInterval', label: 'Batch interval (ms)', type: 'number', default: 1_000 },
      { name: 'batchSize', label: 'Items per batch', type: 'number', default: 50 },
      {
        name: 'bodyContentType',
        label: 'Body',
        type: 'options',
        default: 'json',
        options: [
          choice('json', 'JSON'),
          choice('raw', 'Text'),
          choice('form-urlencoded', 'Form'),
          choice('multipart-form-data', 'Multipart form data'),
        ],
      },
      {
        name: 'bodyContentCustomMimeType',
        label: 'Body content type',
        type: 'string',
        default: '',
        placeholder: 'text/plain',
      },
      { name: 'followAllRedirects', label: 'Follow all redirects', type: 'boolean', default: false },
      { name: 'followRedirect', label: 'Follow redirects', type: 'boolean', default: true },
      { name: 'fullResponse', label: 'Full response', type: 'boolean', default: false },
      { name: 'ignoreResponseCode', label: 'Never error', type: 'boolean', default: false },
      {
        name: 'proxy',
        label: 'Proxy',
        type: 'string',
        default: '',
        refused: 'Per-node proxies are not supported.',
        placeholder: 'http://proxy.example.com:3128',
      },
      { name: 'splitIntoItems', label: 'Split into items', type: 'boolean', default: false },
      { name: 'timeout', label: 'Timeout (ms)', type: 'number', default: 300_000 },
      { name: 'useQueryString', label: 'Use querystring', type: 'boolean', default: false },
    ],
  },
];

/** Makes one HTTP request per item. */
