import type { JsonObject } from '@weft/node-catalogue';
import type { CaseWorld, KindCases } from '../testing/cases/node-case';

const to =
  (parameters: JsonObject, items: readonly JsonObject[] = [{ id: 1 }]) =>
  ({ url }: CaseWorld) => ({ items, parameters: { url: `=${url}/p/{{ $json.id }}`, ...parameters } });
const entries = (name: string, value: string): JsonObject => ({ parameters: [{ name, value }] });
const echo = (over: JsonObject): JsonObject => ({ method: 'GET', path: '/p/1', body: '', type: null, ...over });
const ALL = [1, 2, 3, 4, 4.1, 4.2, 4.3, 4.4, 4.5];
const LATER = [3, 4, 4.1, 4.2, 4.3, 4.4, 4.5];

export const httpRequestCases: KindCases = {
  kind: 'httpRequest',
  cases: [
    {
      it: 'sends a GET for every item, linked to it',
      versions: ALL,
      run: to({}, [{ id: 1 }, { id: 2 }]),
      gives: [[echo({}), echo({ path: '/p/2' })]],
      pairs: [[{ item: 0 }, { item: 1 }]],
    },
    {
      it: 'creates an item from every entry of an array',
      versions: ALL,
      run: to({ options: { splitIntoItems: true } }),
      serverAnswers: { body: '[{"a":1},{"a":2}]' },
      gives: [[{ a: 1 }, { a: 2 }]],
      pairs: [[{ item: 0 }, { item: 0 }]],
    },
    {
      it: 'sends method, query and JSON with the parameters of its version',
      versions: [1, 2],
      run: to({
        requestMethod: 'POST',
        queryParametersUi: { parameter: [{ name: 'q', value: 'x y' }] },
        bodyParametersUi: { parameter: [{ name: 'b', value: '2' }] },
      }),
      gives: [[echo({ method: 'POST', path: '/p/1?q=x%20y', body: '{"b":"2"}', type: 'application/json' })]],
    },
    {
      it: 'sends method, query and JSON with the parameters of its version',
      versions: LATER,
      run: to({
        method: 'POST',
        sendQuery: true,
        queryParameters: entries('q', 'x y'),
        sendBody: true,
        bodyParameters: entries('b', '2'),
      }),
      gives: [[echo({ method: 'POST', path: '/p/1?q=x%20y', body: '{"b":"2"}', type: 'application/json' })]],
    },
    ...['OPTIONS', 'COPY', 'MKCOL', 'MOVE', 'PROPFIND', 'REPORT'].map((method) => ({
      it: `sends ${method}`,
      versions: LATER,
      run: to({ method, options: { webdavMethods: true } }),
      gives: [[echo({ method })]],
    })),
    {
      it: 'outputs text in a field if configured',
      versions: [1, 2],
      run: to({ responseFormat: 'string' }),
      serverAnswers: { type: 'text/plain', body: 'hi' },
      gives: [[{ data: 'hi' }]],
    },
    {
      it: 'outputs text in a field by the type of the response',
      versions: LATER,
      run: to({}),
      serverAnswers: { type: 'text/plain', body: 'hi' },
      gives: [[{ data: 'hi' }]],
    },
    {
      it: 'outputs status and headers too if configured',
      versions: [1, 2],
      run: to({ options: { fullResponse: true } }),
      serverAnswers: { status: 201, body: '{"a":1}' },
      gives: [[expect.objectContaining({ body: { a: 1 }, statusCode: 201 })]],
    },
    {
      it: 'outputs status and headers too if configured',
      versions: LATER,
      run: to({ options: { response: { response: { fullResponse: true } } } }),
      serverAnswers: { status: 201, body: '{"a":1}' },
      gives: [[expect.objectContaining({ body: { a: 1 }, statusCode: 201 })]],
    },
    {
      it: 'fails on an error status',
      versions: ALL,
      run: to({}),
      serverAnswers: { status: 404, body: '{"message":"nothing here"}' },
      fails: 'The resource you are requesting could not be found',
    },
    {
      it: 'has no field for a response without content',
      versions: LATER,
      run: to({}),
      serverAnswers: { status: 204, type: 'text/plain', body: '' },
      gives: [[{}]],
    },
    {
      it: 'fails with the message of the status, whatever the service says',
      versions: ALL,
      run: to({}),
      serverAnswers: { status: 500, body: '{"message":"out of paper"}' },
      fails: 'The service was not able to process your request',
    },
    {
      it: 'describes the failure in its item, with the body of the response',
      versions: [4.5],
      run: ({ url }) => ({ items: [{}], parameters: { url }, node: { onError: 'continueRegularOutput' } }),
      serverAnswers: { status: 404, body: '{"message":"nothing here","a":1}' },
      gives: [
        [
          {
            error: expect.objectContaining({ status: 404 }),
            details: {
              message: 'The resource you are requesting could not be found',
              description: 'nothing here',
              httpCode: '404',
              body: { message: 'nothing here', a: 1 },
              context: { itemIndex: 0 },
            },
          },
        ],
      ],
    },
    {
      it: 'outputs only the error for a failed item',
      versions: [1, 2],
      run: ({ url }) => ({ items: [{}], parameters: { url }, node: { onError: 'continueRegularOutput' } }),
      serverAnswers: { status: 404, body: '{"message":"nothing here"}' },
      gives: [[{ error: expect.objectContaining({ message: '404 - {"message":"nothing here"}' }) }]],
    },
    {
      it: 'outputs only the error for a failed item',
      versions: [3, 4, 4.1, 4.2, 4.3, 4.4],
      run: ({ url }) => ({ items: [{}], parameters: { url }, node: { onError: 'continueRegularOutput' } }),
      serverAnswers: { status: 404, body: '{"message":"nothing here"}' },
      gives: [[{ error: expect.objectContaining({ message: '404 - "{\\"message\\":\\"nothing here\\"}"' }) }]],
    },
    {
      it: 'accepts any status if configured',
      versions: [1, 2],
      run: to({ options: { ignoreResponseCode: true } }),
      serverAnswers: { status: 404, body: '{"a":1}' },
      gives: [[{ a: 1 }]],
    },
    {
      it: 'accepts any status if configured',
      versions: LATER,
      run: to({ options: { response: { response: { neverError: true } } } }),
      serverAnswers: { status: 404, body: '{"a":1}' },
      gives: [[{ a: 1 }]],
    },
    {
      it: 'sends a credential with the parameters of its version',
      versions: [1],
      run: ({ url }) => ({
        items: [{ id: 1 }],
        parameters: { url, authentication: 'headerAuth' },
        node: { credentials: { httpHeaderAuth: { id: 'c', name: 'C' } } },
        credential: { name: 'X-Key', value: 'k' },
      }),
      sends: { headers: { 'x-key': 'k' } },
    },
    {
      it: 'sends a credential with the parameters of its version',
      versions: [2, ...LATER],
      run: ({ url }) => ({
        items: [{ id: 1 }],
        parameters: { url, authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' },
        node: { credentials: { httpHeaderAuth: { id: 'c', name: 'C' } } },
        credential: { name: 'X-Key', value: 'k' },
      }),
      sends: { headers: { 'x-key': 'k' } },
    },
    {
      it: 'does not split the names of JSON fields',
      versions: [3],
      run: to({ method: 'POST', sendBody: true, bodyParameters: entries('a.b', '1') }),
      gives: [[echo({ method: 'POST', body: '{"a.b":"1"}', type: 'application/json' })]],
    },
    {
      it: 'nests JSON fields by their paths',
      versions: [4, 4.1, 4.2, 4.3, 4.4, 4.5],
      run: to({
        method: 'POST',
        sendBody: true,
        bodyParameters: {
          parameters: [
            { name: 'a.b', value: '1' },
            { name: 'a.c[0]', value: '2' },
          ],
        },
      }),
      gives: [[echo({ method: 'POST', body: '{"a":{"b":"1","c":["2"]}}', type: 'application/json' })]],
    },
    {
      it: 'sends the last of a repeated query name',
      versions: [3, 4, 4.1, 4.2],
      run: to({
        sendQuery: true,
        queryParameters: {
          parameters: [
            { name: 'a', value: '1' },
            { name: 'a', value: '2' },
          ],
        },
      }),
      gives: [[echo({ path: '/p/1?a=2' })]],
    },
    {
      it: 'sends a repeated query name as an array',
      versions: [4.3, 4.4, 4.5],
      run: to({
        sendQuery: true,
        options: { queryParameterArrays: 'indices' },
        queryParameters: {
          parameters: [
            { name: 'a', value: '1' },
            { name: 'a', value: '2' },
          ],
        },
      }),
      gives: [[echo({ path: '/p/1?a%5B0%5D=1&a%5B1%5D=2' })]],
    },
  ],
};
