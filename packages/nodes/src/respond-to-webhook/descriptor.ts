import type { KindDescriptor } from '@weft/node-catalogue';
import { withHelp } from '../descriptors/with-help';

const HELP = {
  respondWith: 'Content of the response.',
  redirectURL: 'URL that the caller is redirected to.',
  responseBody: 'Body of the response.',
  payload: 'Claims of the token as a JSON object; the response is `{ token }`.',
  responseDataSource: 'Which file of the first item to return.',
  inputFieldName: 'Name of the binary field of the first item.',
  enableResponseOutput: 'Adds an output with `{ response: { statusCode, headers, body } }`.',
  options: 'Additional options of the response.',
  'options.responseCode': '200 to 599.',
  'options.enableStreaming': 'Has no effect: responses are not streamed.',
} as const;

/** Responds to the request that started the run. */
export const respondToWebhook: KindDescriptor = {
  kind: 'respondToWebhook',
  label: 'Respond to webhook',
  description: 'Responds to the request that started the run, then passes its items on.',
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
      label: 'Respond with',
      type: 'options',
      default: 'firstIncomingItem',
      options: [
        { value: 'allIncomingItems', label: 'All incoming items' },
        { value: 'binary', label: 'Binary file' },
        { value: 'firstIncomingItem', label: 'First incoming item' },
        { value: 'json', label: 'JSON' },
        { value: 'jwt', label: 'JWT token' },
        { value: 'noData', label: 'No data' },
        { value: 'redirect', label: 'Redirect' },
        { value: 'text', label: 'Text' },
      ],
    },
    {
      name: 'redirectURL',
      label: 'Redirect URL',
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
      label: 'Binary file',
      type: 'options',
      default: 'automatically',
      shownWhen: { respondWith: ['binary'] },
      options: [
        { value: 'automatically', label: 'Choose automatically from input' },
        { value: 'set', label: 'Specify myself' },
      ],
    },
    {
      name: 'inputFieldName',
      label: 'Binary field',
      type: 'string',
      default: 'data',
      required: true,
      shownWhen: { respondWith: ['binary'], responseDataSource: ['set'] },
    },
    {
      name: 'enableResponseOutput',
      label: 'Enable response output branch',
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
        {
          name: 'responseCode',
          label: 'Response code',
          type: 'number',
          default: 200,
          hiddenWhen: { '/respondWith': ['redirect'] },
        },
        {
          name: 'responseCode',
          label: 'Response code',
          type: 'number',
          default: 307,
          shownWhen: { '/respondWith': ['redirect'] },
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
                { name: 'name', label: 'Name', type: 'string', default: '' },
                { name: 'value', label: 'Value', type: 'string', default: '' },
              ],
            },
          ],
        },
        {
          name: 'responseKey',
          label: 'Put response in field',
          type: 'string',
          default: '',
          shownWhen: { '/respondWith': ['allIncomingItems', 'firstIncomingItem'] },
        },
        { name: 'enableStreaming', label: 'Enable streaming', type: 'boolean', default: true, since: 1.5 },
      ],
    },
  ]),
};
