import type { ParameterDescriptor } from '@weft/node-catalogue';
import { choice } from '../descriptors/build-parameters';
import { group } from './descriptor-parts';

export const HTTP_REQUEST_OPTIONS: readonly ParameterDescriptor[] = [
  {
    name: 'batching',
    label: 'Batching',
    type: 'fixedCollection',
    groups: [
      {
        name: 'batch',
        label: 'Batch',
        fields: [
          { name: 'batchSize', label: 'Items per batch', type: 'number', default: 50 },
          { name: 'batchInterval', label: 'Batch interval (ms)', type: 'number', default: 1_000 },
        ],
      },
    ],
  },
  { name: 'allowUnauthorizedCerts', label: 'Ignore SSL issues', type: 'boolean', default: false },
  {
    name: 'queryParameterArrays',
    label: 'Array format in query parameters',
    type: 'options',
    default: 'brackets',
    options: [
      choice('repeat', 'No brackets'),
      choice('brackets', 'Brackets only'),
      choice('indices', 'Brackets with indices'),
    ],
  },
  { name: 'webdavMethods', label: 'Enable WebDAV methods', type: 'boolean', default: false },
  { name: 'lowercaseHeaders', label: 'Lowercase headers', type: 'boolean', default: true },
  group('redirect', 'Redirects', [
    { name: 'followRedirects', label: 'Follow redirects', type: 'boolean', default: false, until: 3 },
    { name: 'followRedirects', label: 'Follow redirects', type: 'boolean', default: true, since: 4 },
    { name: 'maxRedirects', label: 'Max redirects', type: 'number', default: 21 },
  ]),
  group('response', 'Response', [
    { name: 'fullResponse', label: 'Include response headers and status', type: 'boolean', default: false },
    { name: 'neverError', label: 'Never error', type: 'boolean', default: false },
    {
      name: 'responseFormat',
      label: 'Response format',
      type: 'options',
      default: 'autodetect',
      options: [
        choice('autodetect', 'Autodetect'),
        choice('file', 'File'),
        choice('json', 'JSON'),
        choice('text', 'Text'),
      ],
    },
    { name: 'outputPropertyName', label: 'Put output in field', type: 'string', default: 'data' },
  ]),
  {
    name: 'pagination',
    label: 'Pagination',
    type: 'fixedCollection',
    groups: [
      {
        name: 'pagination',
        label: 'Pagination',
        fields: [
          {
            name: 'paginationMode',
            label: 'Pagination mode',
            type: 'options',
            default: 'updateAParameterInEachRequest',
            options: [
              choice('off', 'Off'),
              choice('updateAParameterInEachRequest', 'Update a parameter in each request'),
              choice('responseContainsNextURL', 'Response contains next URL'),
            ],
          },
          { name: 'nextURL', label: 'Next URL', type: 'string', default: '' },
          {
            name: 'parameters',
            label: 'Parameters',
            type: 'fixedCollection',
            multiple: true,
            groups: [
              {
                name: 'parameters',
                label: 'Value',
                fields: [
                  {
                    name: 'type',
                    label: 'Type',
                    type: 'options',
                    default: 'qs',
                    options: [choice('body', 'Body'), choice('headers', 'Header'), choice('qs', 'Query')],
                  },
                  { name: 'name', label: 'Name', type: 'string', default: '' },
                  { name: 'value', label: 'Value', type: 'string', default: '' },
                ],
              },
            ],
          },
          {
            name: 'paginationCompleteWhen',
            label: 'Pagination complete when',
            type: 'options',
            default: 'responseIsEmpty',
            options: [
              choice('responseIsEmpty', 'Response is empty'),
              choice('receiveSpecificStatusCodes', 'Receive specific status code(s)'),
              choice('other', 'Other'),
            ],
          },
          {
            name: 'statusCodesWhenComplete',
            label: 'Status code(s) when complete',
            type: 'string',
            default: '',
            placeholder: '204, 404',
          },
          { name: 'completeExpression', label: 'Complete expression', type: 'string', default: '' },
          { name: 'limitPagesFetched', label: 'Limit pages fetched', type: 'boolean', default: false },
          { name: 'maxRequests', label: 'Max pages', type: 'number', default: 100 },
          { name: 'requestInterval', label: 'Interval between requests (ms)', type: 'number', default: 0 },
        ],
      },
    ],
  },
  {
    name: 'proxy',
    label: 'Proxy',
    type: 'string',
    default: '',
    refused: 'Per-node proxies are not supported.',
    placeholder: 'http://proxy.example.com:3128',
  },
  { name: 'timeout', label: 'Timeout (ms)', type: 'number', default: 300_000 },
  { name: 'sendIdempotencyKey', label: 'Send idempotency key', type: 'boolean', default: false },
  {
    name: 'sendCredentialsOnCrossOriginRedirect',
    label: 'Send credentials on cross-origin redirect',
    type: 'boolean',
    default: false,
    refused: 'Credentials are never sent to another origin on a redirect.',
  },
];
