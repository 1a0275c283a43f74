import type { Conditions, KindDescriptor, OptionDescriptor, ParameterDescriptor } from '../descriptor';

const choice = (value: string, label: string): OptionDescriptor => ({ value, label });
const NEEDS_FILES = 'Files in HTTP requests are not supported yet.';

const pairs = (name: string, label: string, shownWhen: Conditions): ParameterDescriptor => ({
  name, label, type: 'fixedCollection', multiple: true, default: { parameters: [{ name: '', value: '' }] }, shownWhen,
  groups: [{
    name: 'parameters', label: 'Entries', fields: [
      { name: 'name', label: 'Name', type: 'string', default: '' },
      { name: 'value', label: 'Value', type: 'string', default: '' },
    ],
  }],
});

const howStated = (name: string, label: string, shownWhen: Conditions): ParameterDescriptor => ({
  name, label, type: 'options', default: 'keypair', shownWhen, options: [choice('keypair', 'Name and value'), choice('json', 'JSON')],
});

const group = (name: string, label: string, fields: readonly ParameterDescriptor[]): ParameterDescriptor => ({
  name, label, type: 'fixedCollection', groups: [{ name, label, fields }],
});

const OPTIONS: readonly ParameterDescriptor[] = [
  {
    name: 'batching', label: 'Batching', type: 'fixedCollection',
    groups: [{
      name: 'batch', label: 'Batch', fields: [
        { name: 'batchSize', label: 'Items per batch', type: 'number', default: 50 },
        { name: 'batchInterval', label: 'Pause between batches (ms)', type: 'number', default: 1_000 },
      ],
    }],
  },
  { name: 'allowUnauthorizedCerts', label: 'Accept any certificate', type: 'boolean', default: false },
  {
    name: 'queryParameterArrays', label: 'Lists in the query', type: 'options', default: 'brackets',
    options: [choice('repeat', 'Repeat the name'), choice('brackets', 'Name with []'), choice('indices', 'Name with [0]')],
  },
  { name: 'lowercaseHeaders', label: 'Header names in lower case', type: 'boolean', default: true },
  group('redirect', 'Redirects', [
    { name: 'followRedirects', label: 'Follow', type: 'boolean', default: true },
    { name: 'maxRedirects', label: 'At most', type: 'number', default: 21 },
  ]),
  group('response', 'Response', [
    { name: 'fullResponse', label: 'Give status and headers too', type: 'boolean', default: false },
    { name: 'neverError', label: 'Any status is fine', type: 'boolean', default: false },
    {
      name: 'responseFormat', label: 'Format', type: 'options', default: 'autodetect',
      options: [choice('autodetect', 'As the answer says'), { value: 'file', label: 'File', refused: NEEDS_FILES }, choice('json', 'JSON'), choice('text', 'Text')],
    },
    { name: 'outputPropertyName', label: 'Field for the text', type: 'string', default: 'data' },
  ]),
  { name: 'pagination', label: 'Pagination', type: 'fixedCollection', refused: 'Pagination is not supported yet.' },
  { name: 'proxy', label: 'Proxy', type: 'string', default: '', refused: 'A proxy of the node is not supported.' },
  { name: 'timeout', label: 'Time limit (ms)', type: 'number', default: 10_000 },
  { name: 'sendCredentialsOnCrossOriginRedirect', label: 'Send credentials to other hosts', type: 'boolean', default: false },
];

/** Makes one HTTP request per item. */
export const httpRequest: KindDescriptor = {
  kind: 'httpRequest',
  label: 'HTTP request',
  description: 'Makes an HTTP request for every item and gives the answer as items.',
  versions: [4, 4.1, 4.2, 4.3, 4.4],
  groups: ['output'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [
    { type: 'httpBasicAuth', required: true, shownWhen: { genericAuthType: ['httpBasicAuth'] } },
    { type: 'httpBearerAuth', required: true, shownWhen: { genericAuthType: ['httpBearerAuth'] } },
    { type: 'httpHeaderAuth', required: true, shownWhen: { genericAuthType: ['httpHeaderAuth'] } },
    { type: 'httpQueryAuth', required: true, shownWhen: { genericAuthType: ['httpQueryAuth'] } },
    { type: 'httpCustomAuth', required: true, shownWhen: { genericAuthType: ['httpCustomAuth'] } },
  ],
  parameters: [
    {
      name: 'method', label: 'Method', type: 'options', default: 'GET',
      options: ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'].map((value) => choice(value, value)),
    },
    { name: 'url', label: 'Address', type: 'string', default: '', required: true },
    {
      name: 'authentication', label: 'Authentication', type: 'options', default: 'none',
      options: [choice('none', 'None'), choice('predefinedCredentialType', 'A service that is known'), choice('genericCredentialType', 'A general kind')],
    },
    { name: 'nodeCredentialType', label: 'Service', type: 'string', default: '', required: true, shownWhen: { authentication: ['predefinedCredentialType'] } },
    {
      name: 'genericAuthType', label: 'Kind', type: 'options', default: '', required: true, shownWhen: { authentication: ['genericCredentialType'] },
      options: [
        choice('httpBasicAuth', 'Basic'), choice('httpBearerAuth', 'Bearer'), choice('httpHeaderAuth', 'Header'), choice('httpQueryAuth', 'Query'),
        choice('httpCustomAuth', 'Custom'),
        { value: 'httpDigestAuth', label: 'Digest', refused: 'Digest authentication is not supported.' },
        { value: 'oAuth1Api', label: 'OAuth 1', refused: 'OAuth 1 is not supported.' },
        { value: 'oAuth2Api', label: 'OAuth 2', refused: 'OAuth 2 is not supported yet.' },
      ],
    },
    { name: 'sendQuery', label: 'Send a query', type: 'boolean', default: false },
    howStated('specifyQuery', 'Query as', { sendQuery: [true] }),
    pairs('queryParameters', 'Query', { sendQuery: [true], specifyQuery: ['keypair'] }),
    { name: 'jsonQuery', label: 'Query as JSON', type: 'json', default: '', shownWhen: { sendQuery: [true], specifyQuery: ['json'] } },
    { name: 'sendHeaders', label: 'Send headers', type: 'boolean', default: false },
    howStated('specifyHeaders', 'Headers as', { sendHeaders: [true] }),
    pairs('headerParameters', 'Headers', { sendHeaders: [true], specifyHeaders: ['keypair'] }),
    { name: 'jsonHeaders', label: 'Headers as JSON', type: 'json', default: '', shownWhen: { sendHeaders: [true], specifyHeaders: ['json'] } },
    { name: 'sendBody', label: 'Send a body', type: 'boolean', default: false },
    {
      name: 'contentType', label: 'Body', type: 'options', default: 'json', shownWhen: { sendBody: [true] },
      options: [
        choice('form-urlencoded', 'Form'), { value: 'multipart-form-data', label: 'Form with files', refused: NEEDS_FILES }, choice('json', 'JSON'),
        { value: 'binaryData', label: 'File', refused: NEEDS_FILES }, choice('raw', 'Text'),
      ],
    },
    howStated('specifyBody', 'Body as', { sendBody: [true], contentType: ['json'] }),
    {
      name: 'specifyBody', label: 'Body as', type: 'options', default: 'keypair', shownWhen: { sendBody: [true], contentType: ['form-urlencoded'] },
      options: [choice('keypair', 'Name and value'), choice('string', 'Text')],
    },
    pairs('bodyParameters', 'Body', { sendBody: [true], contentType: ['json', 'form-urlencoded'], specifyBody: ['keypair'] }),
    { name: 'jsonBody', label: 'Body as JSON', type: 'json', default: '', shownWhen: { sendBody: [true], contentType: ['json'], specifyBody: ['json'] } },
    { name: 'body', label: 'Body as text', type: 'string', default: '', shownWhen: { sendBody: [true], contentType: ['form-urlencoded'], specifyBody: ['string'] } },
    { name: 'body', label: 'Text', type: 'string', default: '', shownWhen: { sendBody: [true], contentType: ['raw'] } },
    { name: 'rawContentType', label: 'Content type', type: 'string', default: '', shownWhen: { sendBody: [true], contentType: ['raw'] } },
    { name: 'options', label: 'Options', type: 'collection', default: {}, fields: OPTIONS },
  ],
};
