import type { KindCases } from '../testing/cases/node-case';

const items = [{ n: 1 }, { n: 2 }];
const from = 'webhook';
const ALL = [1, 1.1, 1.2, 1.3, 1.4, 1.5];

export const respondToWebhookCases: KindCases = {
  kind: 'respondToWebhook',
  cases: [
    {
      it: 'responds with the first item and passes its items on',
      versions: [1, 1.1, 1.2, 1.4, 1.5],
      run: { items, from },
      gives: [items],
      pairs: [[{ item: 0 }, { item: 1 }]],
      answers: { status: 200, body: '{"n":1}' },
    },
    {
      it: 'shows its response on a second output',
      versions: [1.3],
      run: { items, from },
      gives: [
        items,
        [
          {
            response: {
              statusCode: 200,
              headers: {},
              body: { n: 1 },
            },
          },
        ],
      ],
    },
    {
      it: 'outputs its response on a second output if configured',
      versions: [1.4, 1.5],
      run: { items, from, parameters: { enableResponseOutput: true } },
      gives: [
        items,
        [
          {
            response: {
              statusCode: 200,
              headers: {},
              body: { n: 1 },
            },
          },
        ],
      ],
    },
    {
      it: 'responds with all items under a field, with a status',
      versions: ALL,
      run: {
        items,
        from,
        parameters: { respondWith: 'allIncomingItems', options: { responseKey: 'rows', responseCode: 201 } },
      },
      answers: { status: 201, body: '{"rows":[{"n":1},{"n":2}]}' },
    },
    {
      it: 'responds with the file of its first item',
      versions: ALL,
      run: { items, from, parameters: { respondWith: 'binary' } },
      withFiles: { data: { content: 'a,b', mimeType: 'text/csv' } },
      answers: { status: 200, headers: { 'content-type': 'text/csv' }, body: '' },
    },
    {
      it: 'responds with a signed token',
      versions: ALL,
      run: {
        items,
        from,
        parameters: { respondWith: 'jwt', payload: '{"a":1}' },
        node: { credentials: { jwtAuth: { id: '1', name: 'Key' } } },
        credential: { keyType: 'passphrase', secret: 's', algorithm: 'HS256' },
      },
      answers: { status: 200, body: expect.stringMatching(/^\{"token":"eyJ/) },
    },
    {
      it: 'responds with a custom string',
      versions: ALL,
      run: { items, from, parameters: { respondWith: 'text', responseBody: '=n is {{ $json.n }}' } },
      answers: { headers: { 'content-type': 'text/html; charset=utf-8' }, body: 'n is 1' },
    },
    {
      it: 'responds with JSON if its text is an object',
      versions: ALL,
      run: { items, from, parameters: { respondWith: 'text', responseBody: '={{ { n: $json.n } }}' } },
      answers: { headers: { 'content-type': 'application/json; charset=utf-8' }, body: '{"n":1}' },
    },
    {
      it: 'declares a text of a given type as UTF-8',
      versions: ALL,
      run: {
        items,
        from,
        parameters: {
          respondWith: 'text',
          responseBody: '<a/>',
          options: {
            responseHeaders: {
              entries: [{ name: 'Content-Type', value: 'application/xml; version=1; charset=latin1' }],
            },
          },
        },
      },
      answers: { headers: { 'content-type': 'application/xml; version=1; charset=utf-8' }, body: '<a/>' },
    },
    { it: 'works without a webhook in front of it', versions: [1], run: { items }, gives: [items] },
    {
      it: 'requires a webhook before it',
      versions: [1.1, 1.2, 1.3, 1.4, 1.5],
      run: { items },
      fails: 'No Webhook node found',
    },
    {
      it: 'responds with custom JSON',
      versions: ALL,
      run: { items, from, parameters: { respondWith: 'json', responseBody: '={ "n": {{ $json.n }} }' } },
      answers: { headers: { 'content-type': 'application/json; charset=utf-8' }, body: '{"n":1}' },
    },
    {
      it: 'responds with only a status',
      versions: ALL,
      run: { items, from, parameters: { respondWith: 'noData', options: { responseCode: 204 } } },
      answers: { status: 204, body: '' },
    },
    {
      it: 'redirects',
      versions: ALL,
      run: { items, from, parameters: { respondWith: 'redirect', redirectURL: 'https://x.example/' } },
      answers: { status: 307, headers: { location: 'https://x.example/' } },
    },
    {
      it: 'rejects an invalid status',
      versions: ALL,
      run: { items, from, parameters: { options: { responseCode: 42 } } },
      fails: 'not an HTTP status',
    },
  ],
};
