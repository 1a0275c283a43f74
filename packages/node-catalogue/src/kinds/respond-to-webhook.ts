import type { KindDescriptor } from '../descriptor';
import { withHelp } from './with-help';

const HELP = {
  respondWith: 'What the answer holds.',
  redirectURL: 'Where the caller is sent.',
  responseBody: 'The body of the answer.',
  payload: 'The claims of the token, a JSON object; the answer is `{ token }`.',
  responseDataSource: 'Which file of the first item is the answer.',
  inputFieldName: 'Name of the file in the first item.',
  enableResponseOutput: 'Adds an output with `{ response: { statusCode, headers, body } }`.',
  options: 'Less common settings of the answer.',
  'options.responseCode': '200 to 599; 307 for redirects where none is stated.',
  'options.enableStreaming': 'Has no effect: answers are sent whole.',
} as const;

/** Answers the request that started the run. */
export const respondToWebhook: KindDescriptor = {
  kind: 'respondToWebhook',
  label: 'Respond to webhook',
  description: 'Answers the request that started the run, then passes its items on.',
  versions: [1, 1.1, 1.2, 1.3, 1.4, 1.5],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  ports: [
    { since: 1.3, until: 1.3, outputs: ['main', 'response'] },
    { since: 1.4, outputs: ['main', 'response'], shownWhen: { enableResponseOutput: [true] } },
  ],
  credentials: [{ type: 'jwtAuth', required: true, shownWhen: { respondWith: ['jwt'] } }],
  parameters: withHelp(HELP, [
    {
      name: 'respondWith',
      label: 'Answer',
      type: 'options',
      default: 'firstIncomingItem',
      options: [
        { value: 'allIncomingItems', label: 'All items' },
        { value: 'binary', label: 'File' },
        { value: 'firstIncomingItem', label: 'First item' },
        { value: 'json', label: 'JSON' },
        { value: 'jwt', label: 'JWT' },
        { value: 'noData', label: 'Nothing' },
        { value: 'redirect', label: 'Redirect' },
        { value: 'text', label: 'Text' },
      ],
    },
    {
      name: 'redirectURL',
      label: 'Address',
      type: 'string',
      default: '',
      required: true,
      shownWhen: { respondWith: ['redirect'] },
    },
    {
      name: 'responseBody',
      label: 'JSON',
      type: 'json',
      default: '{\n  "myField": "value"\n}',
      shownWhen: { respondWith: ['json'] },
    },
    { name: 'responseBody', label: 'Text', type: 'string', default: '', shownWhen: { respondWith: ['text'] } },
    {
      name: 'payload',
      label: 'Payload',
      type: 'json',
      default: '{\n  "myField": "value"\n}',
      shownWhen: { respondWith: ['jwt'] },
    },
    {
      name: 'responseDataSource',
      label: 'File',
      type: 'options',
      default: 'automatically',
      shownWhen: { respondWith: ['binary'] },
      options: [
        { value: 'automatically', label: 'The first one of the item' },
        { value: 'set', label: 'By its field' },
      ],
    },
    {
      name: 'inputFieldName',
      label: 'Field of the file',
      type: 'string',
      default: 'data',
      required: true,
      shownWhen: { respondWith: ['binary'], responseDataSource: ['set'] },
    },
    {
      name: 'enableResponseOutput',
      label: 'Second output with the answer',
      type: 'boolean',
      default: false,
      since: 1.4,
    },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      fields: [
        { name: 'responseCode', label: 'Status code', type: 'number', default: 200 },
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
        {
          name: 'responseKey',
          label: 'Put the answer into field',
          type: 'string',
          default: '',
          shownWhen: { '/respondWith': ['allIncomingItems', 'firstIncomingItem'] },
        },
        { name: 'enableStreaming', label: 'Stream', type: 'boolean', default: true, since: 1.5 },
      ],
    },
  ]),
};
