import type { KindCases } from '../testing/cases/node-case';

const serverAnswers = { body: '{"data":{"me":"x"}}' };

export const graphqlCases: KindCases = {
  kind: 'graphql',
  cases: [
    {
      it: 'sends a document by default',
      versions: [1],
      run: ({ url }) => ({ items: [{ a: 1 }], parameters: { endpoint: `${url}/g`, query: '{ me }' } }),
      serverAnswers,
      gives: [[{ data: { me: 'x' } }]],
      sends: { method: 'POST', body: '{ me }', headers: { 'content-type': 'application/graphql' } },
    },
    {
      it: 'sends JSON by default',
      versions: [1.1],
      run: ({ url }) => ({ items: [{ a: 1 }], parameters: { endpoint: `${url}/g`, query: '{ me }' } }),
      serverAnswers,
      gives: [[{ data: { me: 'x' } }]],
      sends: { method: 'POST', body: '{"query":"{ me }","variables":{},"operationName":null}' },
    },
    {
      it: 'sends the credential of a service',
      versions: [1, 1.1],
      run: ({ url }) => ({
        items: [{ a: 1 }],
        parameters: {
          authentication: 'predefinedCredentialType',
          nodeCredentialType: 'linearApi',
          endpoint: `${url}/g`,
          query: '{ me }',
        },
        node: { credentials: { linearApi: { id: 'c1', name: 'Linear' } } },
        credential: { apiKey: 'lin_api_0123456789' },
      }),
      serverAnswers,
      gives: [[{ data: { me: 'x' } }]],
      sends: { headers: { authorization: 'lin_api_0123456789' } },
    },
    {
      it: 'sends a body with GET as well',
      versions: [1, 1.1],
      run: ({ url }) => ({
        items: [{}],
        parameters: { requestMethod: 'GET', endpoint: `${url}/g`, query: '{ me }', variables: '{"a":1}' },
      }),
      serverAnswers,
      gives: [[{ data: { me: 'x' } }]],
      sends: { method: 'GET', body: '{"query":"{ me }","variables":{"a":1},"operationName":null}' },
    },
    {
      it: 'shows variables that are not an object',
      versions: [1, 1.1],
      run: ({ url }) => ({
        items: [{}],
        parameters: { endpoint: `${url}/g`, requestFormat: 'json', query: '{ me }', variables: '{"a":' },
      }),
      serverAnswers,
      fails: 'Using variables failed:\n{"a":\n\nWith error message:\nSyntaxError: ',
    },
    {
      it: 'fails with the message of the response',
      versions: [1, 1.1],
      run: ({ url }) => ({ items: [{ a: 1 }], parameters: { endpoint: `${url}/g`, query: '{ me }' } }),
      serverAnswers: { body: '{"errors":[{"message":"no such field"}]}' },
      fails: 'no such field',
    },
  ],
};
