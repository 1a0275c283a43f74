import type { KindDescriptor } from '../descriptor';

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
  ports: [{ since: 1.3, until: 1.3, outputs: ['main', 'response'] }, { since: 1.4, outputs: ['main', 'response'], shownWhen: { enableResponseOutput: [true] } }],
  credentials: [],
  parameters: [
    {
      name: 'respondWith', label: 'Answer', type: 'options', default: 'firstIncomingItem',
      options: [
        { value: 'allIncomingItems', label: 'All items' },
        { value: 'binary', label: 'File', refused: 'Answering with a file is not supported yet.' },
        { value: 'firstIncomingItem', label: 'First item' },
        { value: 'json', label: 'JSON' },
        { value: 'jwt', label: 'JWT', since: 1.1, refused: 'Answering with a JWT is not supported yet.' },
        { value: 'noData', label: 'Nothing' },
        { value: 'redirect', label: 'Redirect' },
        { value: 'text', label: 'Text' },
      ],
    },
    { name: 'redirectURL', label: 'Address', type: 'string', default: '', required: true, shownWhen: { respondWith: ['redirect'] } },
    { name: 'responseBody', label: 'JSON', type: 'json', default: '{\n  "myField": "value"\n}', shownWhen: { respondWith: ['json'] } },
    { name: 'responseBody', label: 'Text', type: 'string', default: '', shownWhen: { respondWith: ['text'] } },
    { name: 'enableResponseOutput', label: 'Second output with the answer', type: 'boolean', default: false, since: 1.4 },
    {
      name: 'options', label: 'Options', type: 'collection', default: {},
      fields: [
        { name: 'responseCode', label: 'Status code', type: 'number', default: 200 },
        {
          name: 'responseHeaders', label: 'Headers', type: 'fixedCollection', multiple: true,
          groups: [{
            name: 'entries', label: 'Entries', fields: [
              { name: 'name', label: 'Name', type: 'string', default: '' },
              { name: 'value', label: 'Value', type: 'string', default: '' },
            ],
          }],
        },
        { name: 'responseKey', label: 'Put the answer into field', type: 'string', default: '', shownWhen: { '/respondWith': ['allIncomingItems', 'firstIncomingItem'] } },
        { name: 'enableStreaming', label: 'Stream', type: 'boolean', default: true, since: 1.5 },
      ],
    },
  ],
};
