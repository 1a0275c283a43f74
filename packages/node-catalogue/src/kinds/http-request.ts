import type { Conditions, KindDescriptor, ParameterDescriptor } from '../descriptor';
import { choice } from './build-parameters';
import { REQUEST_SERVICES } from './request-services';
import { HTTP_REQUEST_HELP } from './http-request-help';
import { withHelp } from './with-help';

/** What an entry of a form in parts has before its name. */
const PART: readonly ParameterDescriptor[] = [
  { name: 'parameterType', label: 'Type', type: 'options', default: 'formData', options: [choice('formData', 'A value'), choice('formBinaryData', 'A file of the item')] },
  { name: 'inputDataFieldName', label: 'Field of the file', type: 'string', default: '', shownWhen: { parameterType: ['formBinaryData'] } },
];
const pairs = (name: string, label: string, shownWhen: Conditions, more: readonly ParameterDescriptor[] = []): ParameterDescriptor => ({
  name, label, type: 'fixedCollection', multiple: true, default: { parameters: [{ name: '', value: '' }] }, since: 3, shownWhen,
  groups: [{
    name: 'parameters', label: 'Entries', fields: [
      ...more,
      { name: 'name', label: 'Name', type: 'string', default: '' },
      { name: 'value', label: 'Value', type: 'string', default: '' },
    ],
  }],
});

const howStated = (name: string, label: string, shownWhen: Conditions): ParameterDescriptor => ({
  name, label, type: 'options', default: 'keypair', since: 3, shownWhen, options: [choice('keypair', 'Name and value'), choice('json', 'JSON')],
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
      options: [choice('autodetect', 'As the answer says'), choice('file', 'File'), choice('json', 'JSON'), choice('text', 'Text')],
    },
    { name: 'outputPropertyName', label: 'Field for the text', type: 'string', default: 'data' },
  ]),
  {
    name: 'pagination', label: 'Pagination', type: 'fixedCollection', since: 4.1,
    groups: [{
      name: 'pagination', label: 'Pagination', fields: [
        {
          name: 'paginationMode', label: 'Mode', type: 'options', default: 'updateAParameterInEachRequest',
          options: [choice('off', 'Off'), choice('updateAParameterInEachRequest', 'Change a value for each page'), choice('responseContainsNextURL', 'The answer holds the next address')],
        },
        { name: 'nextURL', label: 'Next address', type: 'string', default: '' },
        {
          name: 'parameters', label: 'Values to change', type: 'fixedCollection', multiple: true,
          groups: [{
            name: 'parameters', label: 'Value', fields: [
              {
                name: 'type', label: 'Part of the request', type: 'options', default: 'qs',
                options: [choice('body', 'Body'), choice('headers', 'Header'), choice('qs', 'Query')],
              },
              { name: 'name', label: 'Name', type: 'string', default: '' },
              { name: 'value', label: 'Value', type: 'string', default: '' },
            ],
          }],
        },
        {
          name: 'paginationCompleteWhen', label: 'Complete', type: 'options', default: 'responseIsEmpty',
          options: [choice('responseIsEmpty', 'When the answer is empty'), choice('receiveSpecificStatusCodes', 'At certain statuses'), choice('other', 'When an expression holds')],
        },
        { name: 'statusCodesWhenComplete', label: 'Statuses', type: 'string', default: '' },
        { name: 'completeExpression', label: 'Expression', type: 'string', default: '' },
        { name: 'limitPagesFetched', label: 'Limit the pages', type: 'boolean', default: false },
        { name: 'maxRequests', label: 'Pages at most', type: 'number', default: 100 },
        { name: 'requestInterval', label: 'Pause between pages (ms)', type: 'number', default: 0 },
      ],
    }],
  },
  { name: 'proxy', label: 'Proxy', type: 'string', default: '', refused: 'A proxy of the node is not supported.' },
  { name: 'timeout', label: 'Time limit (ms)', type: 'number', default: 300_000 },
  {
    name: 'sendCredentialsOnCrossOriginRedirect', label: 'Send credentials to other hosts', type: 'boolean', default: false,
    refused: 'Credentials are never sent on to another origin by a redirect.',
  },
];

const olderPairs = (name: string, label: string): ParameterDescriptor => ({
  name, label, type: 'fixedCollection', multiple: true, default: {}, until: 2, shownWhen: { jsonParameters: [false] },
  groups: [{
    name: 'parameter', label: 'Entries', fields: [
      { name: 'name', label: 'Name', type: 'string', default: '' },
      { name: 'value', label: 'Value', type: 'string', default: '' },
    ],
  }],
});
const olderJson = (name: string, label: string): ParameterDescriptor => ({
  name, label, type: 'json', default: '', until: 2, shownWhen: { jsonParameters: [true] },
});

/** Versions 1 and 2 say the same in other words. */
const OLDER_PARAMETERS: readonly ParameterDescriptor[] = [
  {
    name: 'requestMethod', label: 'Method', type: 'options', default: 'GET', until: 2,
    options: ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'].map((value) => choice(value, value)),
  },
  {
    name: 'authentication', label: 'Authentication', type: 'options', default: 'none', until: 1,
    options: [
      choice('none', 'None'), choice('basicAuth', 'Basic'), choice('headerAuth', 'Header'), choice('queryAuth', 'Query'),
      choice('digestAuth', 'Digest'), choice('oAuth1', 'OAuth 1'), choice('oAuth2', 'OAuth 2'),
    ],
  },
  {
    name: 'responseFormat', label: 'Format of the answer', type: 'options', default: 'json', until: 2,
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
    name: 'options', label: 'Options', type: 'collection', default: {}, until: 2,
    fields: [
      { name: 'batchInterval', label: 'Pause between batches (ms)', type: 'number', default: 1_000 },
      { name: 'batchSize', label: 'Items per batch', type: 'number', default: 50 },
      { name: 'bodyContentType', label: 'Body', type: 'options', default: 'json', options: [choice('json', 'JSON'), choice('raw', 'Text'), choice('form-urlencoded', 'Form'), choice('multipart-form-data', 'Form in parts')] },
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
export const httpRequest: KindDescriptor = {
  kind: 'httpRequest',
  label: 'HTTP request',
  description: 'Makes an HTTP request for every item and gives the answer as items.',
  versions: [1, 2, 3, 4, 4.1, 4.2, 4.3, 4.4],
  groups: ['output'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [
    { type: 'httpBasicAuth', required: true, shownWhen: { authentication: ['basicAuth'] } },
    { type: 'httpHeaderAuth', required: true, shownWhen: { authentication: ['headerAuth'] } },
    { type: 'httpQueryAuth', required: true, shownWhen: { authentication: ['queryAuth'] } },
    { type: 'httpBasicAuth', required: true, shownWhen: { authentication: ['genericCredentialType'], genericAuthType: ['httpBasicAuth'] } },
    { type: 'httpBearerAuth', required: true, shownWhen: { authentication: ['genericCredentialType'], genericAuthType: ['httpBearerAuth'] } },
    { type: 'httpHeaderAuth', required: true, shownWhen: { authentication: ['genericCredentialType'], genericAuthType: ['httpHeaderAuth'] } },
    { type: 'httpQueryAuth', required: true, shownWhen: { authentication: ['genericCredentialType'], genericAuthType: ['httpQueryAuth'] } },
    { type: 'httpCustomAuth', required: true, shownWhen: { authentication: ['genericCredentialType'], genericAuthType: ['httpCustomAuth'] } },
    { type: 'httpDigestAuth', required: true, shownWhen: { authentication: ['digestAuth'] } },
    { type: 'oAuth1Api', required: true, shownWhen: { authentication: ['oAuth1'] } },
    { type: 'oAuth2Api', required: true, shownWhen: { authentication: ['oAuth2'] } },
    { type: 'httpDigestAuth', required: true, shownWhen: { authentication: ['genericCredentialType'], genericAuthType: ['httpDigestAuth'] } },
    { type: 'oAuth1Api', required: true, shownWhen: { authentication: ['genericCredentialType'], genericAuthType: ['oAuth1Api'] } },
    { type: 'oAuth2Api', required: true, shownWhen: { authentication: ['genericCredentialType'], genericAuthType: ['oAuth2Api'] } },
    { type: 'httpSslAuth', required: true, shownWhen: { provideSslCertificates: [true] } },
  ],
  differs: [
    'Addresses of private networks are refused unless `OUTBOUND_ALLOW` lets them through.',
    'A proxy of the node is refused: the service has one for all (`OUTBOUND_PROXY`). Credentials are not sent on to another origin by a redirect.',
    'In versions 1 and 2 a list that is not split into items becomes one item that holds its entries by their positions (`$json[0]`): items here always hold an object.',
    'OAuth 2 works with client credentials, and with a token that a login elsewhere gave: there is no login here yet.',
    'Only the listed services can be named as a predefined credential type; any other takes a general one (`genericCredentialType`).',
  ],
  parameters: withHelp(HTTP_REQUEST_HELP, [
    ...OLDER_PARAMETERS,
    {
      name: 'method', since: 3, label: 'Method', type: 'options', default: 'GET',
      options: ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'].map((value) => choice(value, value)),
    },
    { name: 'url', label: 'Address', type: 'string', default: '', required: true },
    {
      name: 'authentication', label: 'Authentication', type: 'options', default: 'none', since: 2,
      options: [choice('none', 'None'), choice('predefinedCredentialType', 'A service that is known'), choice('genericCredentialType', 'A general kind')],
    },
    {
      name: 'nodeCredentialType', since: 2, label: 'Service', type: 'options', default: '', required: true,
      shownWhen: { authentication: ['predefinedCredentialType'] }, options: REQUEST_SERVICES,
    },
    {
      name: 'provideSslCertificates', since: 3, label: 'Client certificate', type: 'boolean', default: false,
    },
    {
      name: 'genericAuthType', since: 2, label: 'Kind', type: 'options', default: '', required: true, shownWhen: { authentication: ['genericCredentialType'] },
      options: [
        choice('httpBasicAuth', 'Basic'), choice('httpBearerAuth', 'Bearer'), choice('httpHeaderAuth', 'Header'), choice('httpQueryAuth', 'Query'),
        choice('httpCustomAuth', 'Custom'),
        choice('httpDigestAuth', 'Digest'), choice('oAuth1Api', 'OAuth 1'), choice('oAuth2Api', 'OAuth 2'),
      ],
    },
    { name: 'sendQuery', since: 3, label: 'Send a query', type: 'boolean', default: false },
    howStated('specifyQuery', 'Query as', { sendQuery: [true] }),
    pairs('queryParameters', 'Query', { sendQuery: [true], specifyQuery: ['keypair'] }),
    { name: 'jsonQuery', since: 3, label: 'Query as JSON', type: 'json', default: '', shownWhen: { sendQuery: [true], specifyQuery: ['json'] } },
    { name: 'sendHeaders', since: 3, label: 'Send headers', type: 'boolean', default: false },
    howStated('specifyHeaders', 'Headers as', { sendHeaders: [true] }),
    pairs('headerParameters', 'Headers', { sendHeaders: [true], specifyHeaders: ['keypair'] }),
    { name: 'jsonHeaders', since: 3, label: 'Headers as JSON', type: 'json', default: '', shownWhen: { sendHeaders: [true], specifyHeaders: ['json'] } },
    { name: 'sendBody', since: 3, label: 'Send a body', type: 'boolean', default: false },
    {
      name: 'contentType', since: 3, label: 'Body', type: 'options', default: 'json', shownWhen: { sendBody: [true] },
      options: [
        choice('form-urlencoded', 'Form'), choice('multipart-form-data', 'Form in parts'), choice('json', 'JSON'),
        choice('binaryData', 'File'), choice('raw', 'Text'),
      ],
    },
    howStated('specifyBody', 'Body as', { sendBody: [true], contentType: ['json'] }),
    {
      name: 'specifyBody', since: 3, label: 'Body as', type: 'options', default: 'keypair', shownWhen: { sendBody: [true], contentType: ['form-urlencoded'] },
      options: [choice('keypair', 'Name and value'), choice('string', 'Text')],
    },
    pairs('bodyParameters', 'Body', { sendBody: [true], contentType: ['json', 'form-urlencoded'], specifyBody: ['keypair'] }),
    pairs('bodyParameters', 'Body', { sendBody: [true], contentType: ['multipart-form-data'] }, PART),
    { name: 'inputDataFieldName', since: 3, label: 'Field of the file', type: 'string', default: 'data', shownWhen: { sendBody: [true], contentType: ['binaryData'] } },
    { name: 'jsonBody', since: 3, label: 'Body as JSON', type: 'json', default: '', shownWhen: { sendBody: [true], contentType: ['json'], specifyBody: ['json'] } },
    { name: 'body', since: 3, label: 'Body as text', type: 'string', default: '', shownWhen: { sendBody: [true], contentType: ['form-urlencoded'], specifyBody: ['string'] } },
    { name: 'body', since: 3, label: 'Text', type: 'string', default: '', shownWhen: { sendBody: [true], contentType: ['raw'] } },
    { name: 'rawContentType', since: 3, label: 'Content type', type: 'string', default: '', shownWhen: { sendBody: [true], contentType: ['raw'] } },
    { name: 'options', since: 3, label: 'Options', type: 'collection', default: {}, fields: OPTIONS },
  ]),
};
