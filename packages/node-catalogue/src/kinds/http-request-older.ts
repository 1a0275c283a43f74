import type { ParameterDescriptor } from '../descriptor';
import { choice } from './build-parameters';

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
      label: 'Entries',
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
  default: '',
  until: 2,
  shownWhen: { jsonParameters: [true] },
});

/** Versions 1 and 2 say the same in other words. */
export const OLDER_PARAMETERS: readonly ParameterDescriptor[] = [
  {
    name: 'requestMethod',
    label: 'Method',
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
      choice('oAuth1', 'OAuth 1'),
      choice('oAuth2', 'OAuth 2'),
    ],
  },
  {
    name: 'responseFormat',
    label: 'Format of the answer',
    type: 'options',
    default: 'json',
    until: 2,
    options: [choice('file', 'File'), choice('json', 'JSON'), choice('string', 'Text')],
  },
  { name: 'dataPropertyName', label: 'Field for the answer', type: 'string', default: 'data', until: 2 },
  { name: 'allowUnauthorizedCerts', label: 'Accept any certificate', type: 'boolean', default: false, until: 2 },
  { name: 'jsonParameters', label: 'Values as JSON', type: 'boolean', default: false, until: 2 },
  { name: 'sendBinaryData', label: 'Send a file', type: 'boolean', default: false, until: 2 },
  { name: 'binaryPropertyName', label: 'Field of the file', type: 'string', default: 'data', until: 2 },
  olderPairs('bodyParametersUi', 'Body'),
  olderPairs('headerParametersUi', 'Headers'),
  olderPairs('queryParametersUi', 'Query'),
  olderJson('bodyParametersJson', 'Body as JSON'),
  olderJson('headerParametersJson', 'Headers as JSON'),
  olderJson('queryParametersJson', 'Query as JSON'),
  {
    name: 'options',
    label: 'Options',
    type: 'collection',
    default: {},
    until: 2,
    fields: [
      { name: 'batchInterval', label: 'Pause between batches (ms)', type: 'number', default: 1_000 },
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
          choice('multipart-form-data', 'Form in parts'),
        ],
      },
      { name: 'bodyContentCustomMimeType', label: 'Content type', type: 'string', default: '' },
      { name: 'followAllRedirects', label: 'Follow every redirect', type: 'boolean', default: false },
      { name: 'followRedirect', label: 'Follow redirects', type: 'boolean', default: true },
      { name: 'fullResponse', label: 'Give status and headers too', type: 'boolean', default: false },
      { name: 'ignoreResponseCode', label: 'Any status is fine', type: 'boolean', default: false },
      { name: 'proxy', label: 'Proxy', type: 'string', default: '', refused: 'A proxy of the node is not supported.' },
      { name: 'splitIntoItems', label: 'An item for each entry of a list', type: 'boolean', default: false },
      { name: 'timeout', label: 'Time limit (ms)', type: 'number', default: 300_000 },
      { name: 'useQueryString', label: 'Repeat names of lists', type: 'boolean', default: false },
    ],
  },
];

/** Makes one HTTP request per item. */
