import fc from 'fast-check';
import type { JsonObject } from '@weft/node-catalogue';
import { createOutboundClient, type OutboundClient } from '@weft/outbound';
import { type EchoServer, serveEcho } from '@weft/outbound/testing';
import { MemoryFiles, type NodeRun, runNode, type Stub } from './testing/run-node';

const list = (...entries: [string, Stub][]): Stub => ({
  parameters: entries.map(([name, value]) => ({ name, value })),
});

describe('the request that the node makes', () => {
  let server: EchoServer;
  let client: OutboundClient;
  beforeAll(async () => {
    server = await serveEcho();
    client = createOutboundClient({ allow: [`127.0.0.1:${server.port}`] });
  });
  beforeEach(() => {
    server.seen.length = 0;
  });
  afterAll(async () => {
    client.close();
    await server.close();
  });
  const sent = async (parameters: { [key: string]: Stub }, more: Partial<NodeRun> = {}) => {
    await runNode(client, { ...more, parameters: { url: `${server.url}/p`, ...parameters } });
    return server.last();
  };

  interface Row {
    readonly does: string;
    readonly version?: number;
    readonly parameters: { [key: string]: Stub };
    readonly sees: { method?: string; path?: string; body?: string; headers?: object };
  }
  const rows: Row[] = [
    {
      does: 'is a GET without a body',
      parameters: {},
      sees: {
        method: 'GET',
        path: '/p',
        body: '',
        headers: { accept: expect.stringMatching(/^application\/json,text\/html/) },
      },
    },
    { does: 'has the method', parameters: { method: 'DELETE' }, sees: { method: 'DELETE' } },
    {
      does: 'has the query',
      parameters: {
        sendQuery: true,
        queryParameters: list(['a', '1'], ['b', 2], ['', 'nameless'], ['c', null], ['l', [1, 2]]),
      },
      sees: { path: '/p?a=1&b=2&c=&l%5B0%5D=1&l%5B1%5D=2' },
    },
    {
      does: 'sends a repeated name as an array since 4.3',
      version: 4.3,
      parameters: {
        sendQuery: true,
        queryParameters: list(['a', '1'], ['a', '2'], ['a', '3']),
        options: { queryParameterArrays: 'repeat' },
      },
      sees: { path: '/p?a=1&a=2&a=3' },
    },
    {
      does: 'sends the last of a repeated name before 4.3',
      version: 4.2,
      parameters: { sendQuery: true, queryParameters: list(['a', '1'], ['a', '2']) },
      sees: { path: '/p?a=2' },
    },
    {
      does: 'has the query from JSON',
      parameters: { sendQuery: true, specifyQuery: 'json', jsonQuery: '{"created":{"gte":5},"q":"x y"}' },
      sees: { path: '/p?created%5Bgte%5D=5&q=x%20y' },
    },
    {
      does: 'has no query if it is turned off',
      parameters: { sendQuery: false, queryParameters: list(['a', '1']) },
      sees: { path: '/p' },
    },
    {
      does: 'has the headers in lower case',
      parameters: {
        sendHeaders: true,
        headerParameters: list(['X-Own', 'v'], ['Content-Length', '99'], ['Connection', 'close']),
      },
      sees: { headers: { 'x-own': 'v' } },
    },
    {
      does: 'skips entries without a name',
      parameters: { sendHeaders: true, headerParameters: { parameters: [{}] } },
      sees: { path: '/p' },
    },
    {
      does: 'has the headers from JSON',
      parameters: { sendHeaders: true, specifyHeaders: 'json', jsonHeaders: { a: 1, b: null } },
      sees: { headers: { a: '1' } },
    },
    {
      does: 'lets the user agent and accept be set',
      parameters: { sendHeaders: true, headerParameters: list(['User-Agent', 'mine'], ['accept', 'x/y']) },
      sees: { headers: { 'user-agent': 'mine', accept: 'x/y' } },
    },
    {
      does: 'has JSON from fields, with types preserved',
      parameters: {
        method: 'POST',
        sendBody: true,
        bodyParameters: list(['todo', 'x'], ['done', false], ['n', { a: [1] }]),
      },
      sees: { body: '{"todo":"x","done":false,"n":{"a":[1]}}', headers: { 'content-type': 'application/json' } },
    },
    {
      does: 'has JSON from a string',
      parameters: { method: 'PUT', sendBody: true, specifyBody: 'json', jsonBody: ' {"a": [1, 2]} ' },
      sees: { method: 'PUT', body: '{"a":[1,2]}' },
    },
    {
      does: 'has JSON from a value',
      parameters: { method: 'POST', sendBody: true, specifyBody: 'json', jsonBody: [1, 'ä'] },
      sees: { body: '[1,"ä"]' },
    },
    {
      does: 'has a form',
      parameters: {
        method: 'POST',
        sendBody: true,
        contentType: 'form-urlencoded',
        bodyParameters: list(['a', 'x&y'], ['l', [1]]),
      },
      sees: { body: 'a=x%26y&l%5B0%5D=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    },
    {
      does: 'has a form from a string',
      parameters: {
        method: 'POST',
        sendBody: true,
        contentType: 'form-urlencoded',
        specifyBody: 'string',
        body: 'a=1&b=2',
      },
      sees: { body: 'a=1&b=2', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    },
    {
      does: 'has raw text with its content type',
      parameters: {
        method: 'POST',
        sendBody: true,
        contentType: 'raw',
        rawContentType: 'application/xml',
        body: '<a/>',
      },
      sees: { body: '<a/>', headers: { 'content-type': 'application/xml' } },
    },
    {
      does: 'has raw text and a form with their content types, whatever a header says',
      parameters: {
        method: 'POST',
        sendBody: true,
        contentType: 'raw',
        rawContentType: 'text/x',
        body: 'x',
        sendHeaders: true,
        headerParameters: list(['content-type', 'text/csv'], ['X-A', '1'], ['x-a', '2']),
      },
      sees: { body: 'x', headers: { 'content-type': 'text/x', 'x-a': '2' } },
    },
    {
      does: 'has a form from a string, encoded again',
      parameters: {
        method: 'POST',
        sendBody: true,
        contentType: 'form-urlencoded',
        specifyBody: 'string',
        body: 'a=1+2&b=%41&a=c d',
        sendHeaders: true,
        headerParameters: list(['content-type', 'text/csv']),
      },
      sees: { body: 'a=c%20d&b=A', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    },
    {
      does: 'has raw text with the content type from a header',
      parameters: {
        method: 'POST',
        sendBody: true,
        contentType: 'raw',
        body: 'x',
        sendHeaders: true,
        headerParameters: list(['Content-Type', 'text/csv']),
      },
      sees: { headers: { 'content-type': 'text/csv' } },
    },
    {
      does: 'has no body if it is turned off',
      parameters: { method: 'POST', bodyParameters: list(['a', '1']) },
      sees: { body: '', headers: { 'content-length': '0' } },
    },

    {
      does: 'of version 3 has the same shape',
      version: 3,
      parameters: { method: 'POST', sendBody: true, bodyParameters: list(['a', '1']) },
      sees: { body: '{"a":"1"}' },
    },
    {
      does: 'of version 1 is a GET',
      version: 1,
      parameters: {
        queryParametersUi: { parameter: [{ name: 'a', value: '1' }] },
        bodyParametersUi: { parameter: [{ name: 'b', value: '2' }] },
      },
      sees: { method: 'GET', path: '/p?a=1', body: '' },
    },
    {
      does: 'of version 1 has method, headers and JSON',
      version: 1,
      parameters: {
        requestMethod: 'POST',
        headerParametersUi: { parameter: [{ name: 'X-A', value: 'v' }] },
        bodyParametersUi: { parameter: [{ name: 'b', value: '2' }] },
      },
      sees: { method: 'POST', body: '{"b":"2"}', headers: { 'x-a': 'v' } },
    },
    {
      does: 'of version 1 has JSON parameters',
      version: 1,
      parameters: {
        requestMethod: 'PATCH',
        jsonParameters: true,
        queryParametersJson: '{"q":[1,2]}',
        headerParametersJson: '{"x-a":"v"}',
        bodyParametersJson: '{"b":2}',
      },
      sees: { path: '/p?q%5B0%5D=1&q%5B1%5D=2', body: '{"b":2}', headers: { 'x-a': 'v' } },
    },
    {
      does: 'of version 2 repeats query names if configured',
      version: 2,
      parameters: { jsonParameters: true, queryParametersJson: '{"q":[1,2]}', options: { useQueryString: true } },
      sees: { path: '/p?q=1&q=2' },
    },
    {
      does: 'of version 2 has a form',
      version: 2,
      parameters: {
        requestMethod: 'POST',
        bodyParametersUi: { parameter: [{ name: 'b', value: '2' }] },
        options: { bodyContentType: 'form-urlencoded' },
      },
      sees: { body: 'b=2' },
    },
    {
      does: 'of version 2 has a form from JSON',
      version: 2,
      parameters: {
        requestMethod: 'POST',
        jsonParameters: true,
        bodyParametersJson: '{"b":[1]}',
        options: { bodyContentType: 'form-urlencoded' },
      },
      sees: { body: 'b%5B0%5D=1' },
    },
    {
      does: 'of version 2 has raw text',
      version: 2,
      parameters: {
        requestMethod: 'POST',
        jsonParameters: true,
        bodyParametersJson: '<a/>',
        options: { bodyContentType: 'raw', bodyContentCustomMimeType: 'text/xml' },
      },
      sees: { body: '<a/>', headers: { 'content-type': 'text/xml' } },
    },
    {
      does: 'of version 2 has no body without fields',
      version: 2,
      parameters: { requestMethod: 'POST' },
      sees: { body: '' },
    },
  ];
  it.each(rows.map((row) => [row.does, row] as const))('%s', async (_does, { parameters, version, sees }) => {
    expect(await sent(parameters, version === undefined ? {} : { version })).toMatchObject(sees);
  });

  it('preserves the case of header names if configured', async () => {
    expect(
      (await sent({ sendHeaders: true, headerParameters: list(['X-Own', 'v']), options: { lowercaseHeaders: false } }))
        .rawHeaders,
    ).toContain('X-Own');
  });

  it("is made once for each item, with that item's values", async () => {
    const items = [{ json: { id: 1 } }, { json: { id: 2 } }];
    const given = await runNode(client, {
      items,
      parameters: { url: (item) => `${server.url}/${String(item['id'])}` },
    });
    expect(server.seen.map(({ path }) => path).sort()).toEqual(['/1', '/2']);
    expect(given.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
  });

  it('waits between batches', async () => {
    const sleeps: number[] = [];
    await runNode(client, {
      items: [1, 2, 3].map((id) => ({ json: { id } })),
      onSleep: (ms) => sleeps.push(ms),
      parameters: { url: server.url, options: { batching: { batch: { batchSize: 1, batchInterval: 250 } } } },
    });
    expect(sleeps).toEqual([250, 250]);
  });

  it('sends an idempotency key that is the same on every attempt if configured and it has side effects', async () => {
    const options = { sendIdempotencyKey: true };
    const post = await sent({ method: 'POST', options });
    expect(post.headers['idempotency-key']).toBe('exec-1:Fetch%20%C3%A4:2:0');
    expect((await sent({ method: 'POST', options })).headers['idempotency-key']).toBe(post.headers['idempotency-key']);
    expect((await sent({ options })).headers).not.toHaveProperty('idempotency-key');
  });

  it.each([1, 2, 3, 4, 4.1, 4.2, 4.3, 4.4, 4.5])(
    'adds no idempotency key by default to a method with side effects, in version %s',
    async (version) => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const seen = await sent({ method, requestMethod: method }, { version });
        expect(seen).toMatchObject({
          method,
          headers: expect.not.objectContaining({ 'idempotency-key': expect.anything() }),
        });
      }
    },
  );

  describe('with files', () => {
    const files = new MemoryFiles();
    const withFile = async (property = 'data') => [
      {
        json: {},
        binary: { [property]: await files.store(Buffer.from('bytes'), { mimeType: 'text/csv', fileName: 'a.csv' }) },
      },
    ];

    it('sends a file as the body', async () => {
      const seen = await sent(
        { method: 'POST', sendBody: true, contentType: 'binaryData', inputDataFieldName: 'data' },
        { files, items: await withFile() },
      );
      expect(seen).toMatchObject({ body: 'bytes', headers: { 'content-type': 'text/csv', 'content-length': '5' } });
    });

    it('sends fields and files as a multipart form, whatever boundary the given type has', async () => {
      const seen = await sent(
        {
          method: 'POST',
          sendBody: true,
          contentType: 'multipart-form-data',
          sendHeaders: true,
          headerParameters: list(['content-type', 'multipart/form-data; boundary=own']),
          bodyParameters: {
            parameters: [
              { name: 'a', value: 5 },
              { parameterType: 'formBinaryData', name: 'f', inputDataFieldName: 'up' },
            ],
          },
        },
        { files, items: await withFile('up') },
      );
      const boundary = /boundary=(.+)$/.exec(seen.headers['content-type'] ?? '')?.[1] ?? '';
      expect(boundary).not.toBe('own');
      expect(seen.body.split(`--${boundary}`)).toEqual([
        '',
        expect.stringContaining('name="a"\r\n\r\n5'),
        expect.stringMatching(/name="f"; filename="a.csv"\r\nContent-Type: text\/csv\r\n\r\nbytes/),
        '--\r\n',
      ]);
    });

    it('of version 1 sends files under their fields', async () => {
      const seen = await sent(
        {
          requestMethod: 'POST',
          jsonParameters: true,
          sendBinaryData: true,
          binaryPropertyName: 'f:up',
          bodyParametersJson: '{"a":1}',
          options: { bodyContentType: 'multipart-form-data' },
        },
        { version: 1, files, items: await withFile('up') },
      );
      expect(seen.body).toContain('name="a"\r\n\r\n1');
      expect(seen.body).toContain('name="f"; filename="a.csv"');
    });

    it('reports which files an item has if the requested one is missing', async () => {
      await expect(
        sent(
          { method: 'POST', sendBody: true, contentType: 'binaryData', inputDataFieldName: 'other' },
          { files, items: await withFile() },
        ),
      ).rejects.toMatchObject({
        message: 'The item has no file under "other".',
        description: 'It has files under: data.',
      });
    });
  });

  describe('with a credential', () => {
    const generic = (type: string): { [key: string]: Stub } => ({
      authentication: 'genericCredentialType',
      genericAuthType: type,
    });
    it.each<[string, { [key: string]: Stub }, Record<string, JsonObject>, object]>([
      [
        'basic',
        generic('httpBasicAuth'),
        { httpBasicAuth: { user: 'u', password: 'p' } },
        { headers: { authorization: 'Basic dTpw' } },
      ],
      [
        'a header',
        generic('httpHeaderAuth'),
        { httpHeaderAuth: { name: 'X-Key', value: 's3cret' } },
        { headers: { 'x-key': 's3cret' } },
      ],
      [
        'a query value',
        generic('httpQueryAuth'),
        { httpQueryAuth: { name: 'key', value: 's&' } },
        { path: '/p?key=s%26' },
      ],
      [
        'custom parts',
        generic('httpCustomAuth'),
        { httpCustomAuth: { json: '{"headers":{"x-a":"1"},"qs":{"b":2}}' } },
        { path: '/p?b=2', headers: { 'x-a': '1' } },
      ],
      [
        'a known service',
        { authentication: 'predefinedCredentialType', nodeCredentialType: 'notionApi' },
        { notionApi: { apiKey: 's3cret' } },
        { headers: { authorization: 'Bearer s3cret', 'notion-version': '2022-06-28' } },
      ],
      [
        'a path',
        { authentication: 'predefinedCredentialType', nodeCredentialType: 'telegramApi' },
        { telegramApi: { accessToken: '1:abc' } },
        { path: '/bot1:abc/p' },
      ],
    ])('that is %s is sent', async (_kind, parameters, credentials, sees) => {
      expect(await sent(parameters, { credentials })).toMatchObject(sees);
    });

    it.each<[string, { [key: string]: Stub }, string, string]>([
      ['basicAuth', { authentication: 'basicAuth' }, 'httpBasicAuth', 'Basic dTpw'],
      ['headerAuth', { authentication: 'headerAuth' }, 'httpHeaderAuth', 'v'],
    ])('of version 1 named %s is sent', async (_name, parameters, type, expected) => {
      const data: JsonObject = { user: 'u', password: 'p', name: 'authorization', value: 'v' };
      expect((await sent(parameters, { version: 1, credentials: { [type]: data } })).headers.authorization).toBe(
        expected,
      );
    });

    it('replaces a header of the same name, and lets a version header be chosen', async () => {
      const seen = await sent(
        {
          authentication: 'predefinedCredentialType',
          nodeCredentialType: 'notionApi',
          sendHeaders: true,
          headerParameters: list(['Authorization', 'mine'], ['Notion-Version', '2025-09-03']),
        },
        { credentials: { notionApi: { apiKey: 's3cret' } } },
      );
      expect(seen.headers).toMatchObject({ authorization: 'Bearer s3cret', 'notion-version': '2025-09-03' });
    });

    it('adds its fields to a body that is an object or a form', async () => {
      const credentials = { httpCustomAuth: { json: '{"body":{"key":"s3cret"}}' } };
      const parameters = {
        ...generic('httpCustomAuth'),
        method: 'POST',
        sendBody: true,
        bodyParameters: list(['a', '1']),
      };
      expect((await sent(parameters, { credentials })).body).toBe('{"a":"1","key":"s3cret"}');
      expect((await sent({ ...parameters, contentType: 'form-urlencoded' }, { credentials })).body).toBe(
        'a=1&key=s3cret',
      );
    });

    it('does not follow a redirect to another origin, neither in the body nor in the query', async () => {
      const other = await serveEcho();
      const front = await serveEcho((seen, response) => {
        response.writeHead(307, { location: `${other.url}${seen.path}` }).end();
      });
      const both = createOutboundClient({ allow: [`127.0.0.1:${front.port}`, `127.0.0.1:${other.port}`] });
      try {
        const json = '{"headers":{"x-key":"s3cret"},"body":{"key":"s3cret"},"qs":{"q":"s3cret"}}';
        await runNode(both, {
          credentials: { httpCustomAuth: { json } },
          parameters: {
            ...generic('httpCustomAuth'),
            url: `${front.url}/p?page=1`,
            method: 'POST',
            sendBody: true,
            bodyParameters: list(['a', '1']),
          },
        });
        expect(other.last()).toMatchObject({ method: 'POST', path: '/p?page=1', body: '{"a":"1"}' });
        expect(JSON.stringify(other.seen)).not.toContain('s3cret');
      } finally {
        both.close();
        await front.close();
        await other.close();
      }
    });

    it('is not sent to a host that the credential does not allow', async () => {
      const credentials = {
        httpBearerAuth: { token: 's3cret', allowedHttpRequestDomains: 'domains', allowedDomains: 'example.com' },
      };
      await expect(sent(generic('httpBearerAuth'), { credentials })).rejects.toMatchObject({
        context: { rule: 'credential-host' },
      });
      expect(server.seen).toHaveLength(0);
    });
  });

  it.each<[string, { [key: string]: Stub }, string]>([
    [
      'broken JSON',
      { method: 'POST', sendBody: true, specifyBody: 'json', jsonBody: '{"q": "abc",}' },
      'The value in the "JSON Body" field is not valid JSON',
    ],
    ['a URL without a scheme', { url: 'example.com' }, 'URL must start with "http" or "https"'],
    ['a URL that is not a string', { url: 5 }, 'The URL must be a string'],
    ['no URL', { url: () => undefined }, 'The URL must be a string, but it is missing'],
    ['a password in the URL', { url: 'http://u:p@example.com' }, 'user name or a password'],
    ['a private address', { url: 'http://192.168.0.1/' }, 'private-address'],
    [
      'a host header for another host',
      { sendHeaders: true, headerParameters: list(['Host', 'internal']) },
      'The header "host" is set by the service itself',
    ],
    ['a proxy', { options: { proxy: 'http://x' } }, 'Remove `options.proxy`'],
    ['credentials for other origins', { options: { sendCredentialsOnCrossOriginRedirect: true } }, 'never sent on'],
    ['no credential type', { authentication: 'genericCredentialType' }, 'names no credential type'],
    [
      'a missing credential',
      { authentication: 'genericCredentialType', genericAuthType: 'httpBasicAuth' },
      'names no credential',
    ],
    ['an unknown body', { method: 'POST', sendBody: true, contentType: 'x' }, 'is not supported'],
  ])('is rejected for %s, and nothing is sent', async (_what, parameters, message) => {
    await expect(sent(parameters)).rejects.toThrow(message);
    expect(server.seen).toHaveLength(0);
  });

  it('never sends a header, a path or a line injected by a value', async () => {
    const nasty = fc.string({
      unit: fc.constantFrom('a', ':', ' ', '\r', '\n', '\0', '\t', '/', '?', '#', '%0d', '\u0085', '嘊', '"'),
      maxLength: 8,
    });
    const known = new Set(['host', 'connection', 'accept', 'accept-encoding', 'user-agent', 'x-fixed']);
    await fc.assert(
      fc.asyncProperty(nasty, nasty, nasty, async (value, query, path) => {
        server.seen.length = 0;
        await runNode(client, {
          parameters: {
            url: `${server.url}/${path}`,
            sendHeaders: true,
            headerParameters: list(['x-fixed', value]),
            sendQuery: true,
            queryParameters: list(['q', query], [query, 'v']),
          },
        }).catch(() => undefined);
        for (const seen of server.seen) {
          expect(Object.keys(seen.headers).filter((name) => !known.has(name))).toEqual([]);
          expect(seen.path).not.toMatch(/[\s\0]/);
        }
        expect(server.seen.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 150 },
    );
  });
});
