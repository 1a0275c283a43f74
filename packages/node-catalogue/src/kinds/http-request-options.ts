import type { ParameterDescriptor } from '../descriptor';
import { choice } from './build-parameters';
import { group } from './http-request-parts';

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
          { name: 'batchInterval', label: 'Pause between batches (ms)', type: 'number', default: 1_000 },
        ],
      },
    ],
  },
  { name: 'allowUnauthorizedCerts', label: 'Accept any certificate', type: 'boolean', default: false },
  {
    name: 'queryParameterArrays',
    label: 'Lists in the query',
    type: 'options',
    default: 'brackets',
    options: [
      choice('repeat', 'Repeat the name'),
      choice('brackets', 'Name with []'),
      choice('indices', 'Name with [0]'),
    ],
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
      name: 'responseFormat',
      label: 'Format',
      type: 'options',
      default: 'autodetect',
      options: [
        choice('autodetect', 'As the answer says'),
        choice('file', 'File'),
        choice('json', 'JSON'),
        choice('text', 'Text'),
      ],
    },
    { name: 'outputPropertyName', label: 'Field for the text', type: 'string', default: 'data' },
  ]),
  {
    name: 'pagination',
    label: 'Pagination',
    type: 'fixedCollection',
    since: 4.1,
    groups: [
      {
        name: 'pagination',
        label: 'Pagination',
        fields: [
          {
            name: 'paginationMode',
            label: 'Mode',
            type: 'options',
            default: 'updateAParameterInEachRequest',
            options: [
              choice('off', 'Off'),
              choice('updateAParameterInEachRequest', 'Change a value for each page'),
              choice('responseContainsNextURL', 'The answer holds the next address'),
            ],
          },
          { name: 'nextURL', label: 'Next address', type: 'string', default: '' },
          {
            name: 'parameters',
            label: 'Values to change',
            type: 'fixedCollection',
            multiple: true,
            groups: [
              {
                name: 'parameters',
                label: 'Value',
                fields: [
                  {
                    name: 'type',
                    label: 'Part of the request',
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
            label: 'Complete',
            type: 'options',
            default: 'responseIsEmpty',
            options: [
              choice('responseIsEmpty', 'When the answer is empty'),
              choice('receiveSpecificStatusCodes', 'At certain statuses'),
              choice('other', 'When an expression holds'),
            ],
          },
          { name: 'statusCodesWhenComplete', label: 'Statuses', type: 'string', default: '' },
          { name: 'completeExpression', label: 'Expression', type: 'string', default: '' },
          { name: 'limitPagesFetched', label: 'Limit the pages', type: 'boolean', default: false },
          { name: 'maxRequests', label: 'Pages at most', type: 'number', default: 100 },
          { name: 'requestInterval', label: 'Pause between pages (ms)', type: 'number', default: 0 },
        ],
      },
    ],
  },
  { name: 'proxy', label: 'Proxy', type: 'string', default: '', refused: 'A proxy of the node is not supported.' },
  { name: 'timeout', label: 'Time limit (ms)', type: 'number', default: 300_000 },
  {
    name: 'sendCredentialsOnCrossOriginRedirect',
    label: 'Send credentials to other hosts',
    type: 'boolean',
    default: false,
    refused: 'Credentials are never sent on to another origin by a redirect.',
  },
];
