import { createOutboundClient, type OutboundClient } from '@weft/outbound';
import { type EchoServer, serveEcho } from '@weft/outbound/testing';
import { type NodeRun, runNode, type Stub } from '../http-request/testing/run-node';
import { runGraphql } from './executor';

describe('the GraphQL node', () => {
  let server: EchoServer;
  let client: OutboundClient;
  let answer = { status: 200, body: '{"data":{"foo":"bar"}}' };
  beforeAll(async () => {
    server = await serveEcho((_seen, response) => {
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
    });
    client = createOutboundClient({ allow: ['127.0.0.0/8'] });
  });
  beforeEach(() => {
    answer = { status: 200, body: '{"data":{"foo":"bar"}}' };
  });
  afterAll(async () => {
    client.close();
    await server.close();
  });
  const given = (parameters: { [key: string]: Stub }, more: Partial<NodeRun> = {}) =>
    runNode(
      client,
      {
        version: 1.1,
        ...more,
        parameters: { endpoint: `${server.url}/graphql`, query: 'query { foo }', ...parameters },
      },
      runGraphql,
    );

  it.each<[string, number, { [key: string]: Stub }, object]>([
    [
      'JSON since 1.1',
      1.1,
      {},
      {
        method: 'POST',
        body: '{"query":"query { foo }","variables":{},"operationName":null}',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
      },
    ],
    [
      'a document in version 1',
      1,
      {},
      { method: 'POST', body: 'query { foo }', headers: { 'content-type': 'application/graphql' } },
    ],
    [
      'JSON in version 1 if configured',
      1,
      { requestFormat: 'json', variables: '{"a":1}', operationName: 'Op' },
      { body: '{"query":"query { foo }","variables":{"a":1},"operationName":"Op"}' },
    ],
    [
      'variables that are a value',
      1.1,
      { variables: { a: [1] } },
      { body: '{"query":"query { foo }","variables":{"a":[1]},"operationName":null}' },
    ],
    [
      'a query in the URL',
      1.1,
      { requestMethod: 'GET', variables: '{"a":1}' },
      { method: 'GET', path: '/graphql?query=query%20%7B%20foo%20%7D&variables=%7B%22a%22%3A1%7D' },
    ],
    [
      'a custom Accept header',
      1.1,
      { headerParametersUi: { parameter: [{ name: 'Accept', value: 'text/plain' }] } },
      { headers: { accept: 'text/plain' } },
    ],
    ['headers', 1.1, { headerParametersUi: { parameter: [{ name: 'X-A', value: 'v' }] } }, { headers: { 'x-a': 'v' } }],
  ])('sends %s', async (_what, version, parameters, sees) => {
    expect(await given(parameters, { version })).toEqual([{ json: { data: { foo: 'bar' } }, pairedItem: { item: 0 } }]);
    expect(server.last()).toMatchObject(sees);
  });

  it('sends a credential and does not reveal it in any failure', async () => {
    const auth = { authentication: 'headerAuth' };
    const credentials = { httpHeaderAuth: { name: 'x-key', value: 's3cret-value' } };
    await given(auth, { credentials });
    expect(server.last().headers['x-key']).toBe('s3cret-value');
    answer = { status: 200, body: '{"errors":[{"message":"no s3cret-value"},{"message":"second"}]}' };
    await expect(given(auth, { credentials })).rejects.toMatchObject({
      name: 'NodeApiError',
      message: 'no ***, second',
    });
  });

  it('outputs text if configured', async () => {
    const asked = { responseFormat: 'string', dataPropertyName: 'text' };
    expect((await given({ ...asked, requestFormat: 'graphql' }))[0]?.json).toEqual({ text: '{"data":{"foo":"bar"}}' });
    // As in n8n, the response to a JSON request is parsed.
    expect((await given(asked))[0]?.json).toEqual({ text: { data: { foo: 'bar' } } });
    answer = { status: 200, body: 'plain' };
    expect((await given(asked))[0]?.json).toEqual({ text: 'plain' });
  });

  it.each<[string, number, string, string]>([
    ['errors', 200, '{"data":null,"errors":[{"message":"Unauthorized"}]}', 'Unauthorized'],
    ['a response that is not JSON', 200, '<html>', 'not valid JSON'],
    ['a response that is not an object', 200, '[]', 'not a GraphQL response'],
  ])('fails for %s, and replaces the item by the message if it continues', async (_what, status, body, message) => {
    answer = { status, body };
    await expect(given({})).rejects.toThrow(message);
    expect(await given({}, { continueOnFail: true })).toEqual([
      { json: { error: expect.stringContaining(message) }, pairedItem: { item: 0 } },
    ]);
  });

  it('passes on the message of the service for an unsuccessful status', async () => {
    answer = { status: 400, body: '{"errors":[{"message":"Cannot query field \\"a\\""}]}' };
    await expect(given({})).rejects.toThrow('Cannot query field "a"');
    answer = { status: 500, body: '{"message":"oops"}' };
    expect((await given({}))[0]?.json).toEqual({ message: 'oops' });
  });

  it('fails for an unsuccessful status without a response, and shows it in the item if it continues', async () => {
    answer = { status: 401, body: 'Unauthorized' };
    await expect(given({})).rejects.toThrow('Authorization failed - please check your credentials');
    expect(await given({}, { continueOnFail: true })).toEqual([
      { json: { error: expect.stringContaining('Authorization failed') }, pairedItem: { item: 0 } },
    ]);
  });

  it.each<[string, { [key: string]: Stub }]>([
    ['Using variables failed:\n{\n\nWith error message:\nSyntaxError: ', { variables: '{' }],
    ['Using variables failed:\n[1]\n\nGraphQL variables should be', { variables: '[1]' }],
    ['is not supported', { authentication: 'magic' }],
    ['has no token', { authentication: 'oAuth2' }],
    ['URL must start with', { endpoint: 'x' }],
  ])('reports %s', async (message, parameters) => {
    await expect(given(parameters, { credentials: { oAuth2Api: {} } })).rejects.toThrow(message);
  });
});
