import { closeAfterEach } from '@weft/service-kit/testing';
import { createOutboundClient, type OutboundClient } from '@weft/outbound';
import { type EchoServer, serveEcho } from '@weft/outbound/testing';
import { MemoryFiles, type NodeRun, runNode, type Stub } from '../../../http-request/testing/run-node';

describe('the output for a response', () => {
  const later = closeAfterEach();
  let server: EchoServer;
  let client: OutboundClient;
  let next: { status: number; headers: Record<string, string | string[]>; body: string | Uint8Array };
  const answer = (
    body: string | Uint8Array,
    contentType?: string,
    status = 200,
    headers: Record<string, string | string[]> = {},
  ): void => {
    next = {
      status,
      body,
      headers: { ...headers, ...(contentType === undefined ? {} : { 'content-type': contentType }) },
    };
  };
  beforeAll(async () => {
    server = await serveEcho((seen, response) => {
      if (seen.path === '/moved') response.writeHead(302, { location: '/else' }).end();
      else response.writeHead(next.status, next.headers).end(next.body);
    });
    client = createOutboundClient({ allow: ['127.0.0.0/8'] });
  });
  afterAll(async () => {
    client.close();
    await server.close();
  });
  const opened = async (answering: Parameters<typeof serveEcho>[0]): Promise<EchoServer> =>
    later(await serveEcho(answering), (echo) => echo.close());
  const given = (
    response: { [key: string]: Stub } = {},
    more: Partial<NodeRun> = {},
    options: { [key: string]: Stub } = {},
  ) =>
    runNode(client, {
      ...more,
      parameters: { url: `${server.url}/f.txt`, options: { ...options, response: { response } } },
    });
  const json = async (response: { [key: string]: Stub } = {}, more: Partial<NodeRun> = {}) =>
    (await given(response, more)).map((item) => item.json);

  it.each<[string, string, string | undefined, { [key: string]: Stub }, unknown[]]>([
    ['a JSON object', '{"a":1}', 'application/json; charset=utf-8', {}, [{ a: 1 }]],
    ['a JSON array, an item for each entry', '[{"a":1},{"a":2}]', 'application/json', {}, [{ a: 1 }, { a: 2 }]],
    ['an empty JSON array, no item', '[]', 'application/json', {}, []],
    [
      'JSON values that are not objects',
      '[1,"x",null,[2]]',
      'application/json',
      {},
      [{ data: 1 }, { data: 'x' }, {}, { data: [2] }],
    ],
    ['no content', '', 'application/json', {}, [{}]],
    ['text', '<p>', 'text/html', {}, [{ data: '<p>' }]],
    ['text under another name', '<p>', 'text/html', { outputPropertyName: 'html' }, [{ html: '<p>' }]],
    ['text without a type', '{"a":1}', undefined, {}, [{ data: '{"a":1}' }]],
    ['JSON of another media type, which is text', '{"a":1}', 'application/vnd.api+json', {}, [{ data: '{"a":1}' }]],
    ['JSON if JSON is requested', '{"a":1}', 'text/plain', { responseFormat: 'json' }, [{ a: 1 }]],
    ['text if text is requested', '{ "a": 1 }', 'application/json', { responseFormat: 'text' }, [{ data: '{"a":1}' }]],
    ['the JSON value of text that is not an object', '42', 'text/plain', { responseFormat: 'text' }, [{ data: 42 }]],
    ['text that only looks like JSON', '{ "a"', 'text/plain', { responseFormat: 'text' }, [{ data: '{ "a"' }]],
    ['the text of a number by default', '42', 'text/plain', {}, [{ data: '42' }]],
    ['empty for broken JSON if errors are ignored', '{"a"', 'application/json', { neverError: true }, [{}]],
  ])('is %s', async (_what, body, contentType, settings, expected) => {
    answer(body, contentType);
    expect(await json(settings)).toEqual(expected);
  });

  it.each([
    [1, {}, [{ 0: { a: 1 }, 1: 2 }]],
    [2, { splitIntoItems: false }, [{ 0: { a: 1 }, 1: 2 }]],
    [1, { splitIntoItems: true }, [{ a: 1 }, { data: 2 }]],
    [2, { splitIntoItems: true }, [{ a: 1 }, { data: 2 }]],
    [3, {}, [{ a: 1 }, { data: 2 }]],
  ])('of version %s with %j is an array in %j', async (version, options, expected) => {
    answer('[{"a":1},2]', 'application/json');
    expect(
      (await runNode(client, { version, parameters: { url: `${server.url}/`, options } })).map((item) => item.json),
    ).toEqual(expected);
  });

  it('is body, headers and status in full', async () => {
    answer('[1]', 'application/json', 201, { 'x-a': 'b', 'set-cookie': ['c=1', 'd=2'] });
    expect(await json({ fullResponse: true })).toEqual([
      {
        body: [1],
        statusCode: 201,
        statusMessage: 'Created',
        headers: expect.objectContaining({ 'x-a': 'b', 'set-cookie': ['c=1', 'd=2'] }),
      },
    ]);
    answer('x', 'text/plain');
    expect(await json({ fullResponse: true })).toEqual([
      { data: 'x', statusCode: 200, statusMessage: 'OK', headers: expect.anything() },
    ]);
  });

  it.each([
    ['image/png', {}],
    ['application/octet-stream', {}],
    ['text/plain', { responseFormat: 'file' }],
  ])('of type %s is a file', async (contentType, settings) => {
    const files = new MemoryFiles();
    answer(Uint8Array.from([1, 2, 3]), contentType);
    const [item] = await given({ ...settings, outputPropertyName: 'pic' }, { files });
    expect(item?.json).toEqual({});
    expect(item?.binary?.['pic']).toMatchObject({ mimeType: contentType, fileSize: '3 B' });
    expect([...(await files.read(item?.binary?.['pic'] ?? { id: '', mimeType: '', fileSize: 0 }))]).toEqual([1, 2, 3]);
  });

  it.each([1, 2, 3, 4, 4.1, 4.2, 4.3, 4.4, 4.5])(
    'that is a file is added to the JSON and the other files of its item, in version %s',
    async (version) => {
      const files = new MemoryFiles();
      const old = await files.store(Buffer.from('old'), { mimeType: 'text/plain' });
      answer(Buffer.from([1]), 'image/png');
      const parameters =
        version < 3
          ? { url: server.url, responseFormat: 'file' }
          : { url: server.url, options: { response: { response: { responseFormat: 'file' } } } };
      const [item] = await runNode(client, {
        version,
        parameters,
        files,
        items: [{ json: { a: 1 }, binary: { old } }],
      });
      expect(item?.json).toEqual({ a: 1 });
      expect(Object.keys(item?.binary ?? {})).toEqual(['old', 'data']);
    },
  );

  it('without content has no field', async () => {
    answer('', 'text/plain', 204);
    expect(await json()).toEqual([{}]);
  });

  it('is an error message for a failure, with the body as text, or as JSON if requested', async () => {
    answer('{"a":1}', 'application/json', 500);
    const [auto] = await json({}, { continueOnFail: true });
    expect(auto).toMatchObject({ error: { message: '500 - "{\\"a\\":1}"' } });
    const [asJson] = await json({ responseFormat: 'json' }, { continueOnFail: true });
    expect(asJson).toMatchObject({ error: { message: '500 - {"a":1}' } });
  });

  it('is an error if no response came, with the system message in the item and advice as description', async () => {
    const gone = await opened(() => undefined);
    await gone.close();
    const parameters = { url: gone.url };
    await expect(runNode(client, { parameters })).rejects.toMatchObject({
      message: 'The service refused the connection - perhaps it is offline',
      description: expect.stringContaining('The service may be down'),
    });
    const [item] = await runNode(client, { parameters, continueOnFail: true });
    expect(item?.json).toMatchObject({
      error: { message: `connect ECONNREFUSED ${new URL(gone.url).host}`, code: 'ECONNREFUSED' },
    });
  });

  it('is an error if it is a file and files cannot be stored', async () => {
    answer('x', 'image/png');
    await expect(given()).rejects.toThrow('files cannot be stored');
  });

  it.each([
    ['broken JSON', '{"a"', 'application/json', {}, 'Invalid JSON in response body'],
    [
      'text where JSON is required',
      '<html>',
      'text/html',
      { responseFormat: 'json' },
      'Response body is not valid JSON. Change "Response Format" to "Text"',
    ],
  ])(
    'is a failure for %s, and a string under error if the node continues',
    async (_what, body, contentType, settings, message) => {
      answer(body, contentType);
      await expect(given(settings)).rejects.toMatchObject({ name: 'NodeOperationError', message });
      expect(await given(settings, { continueOnFail: true })).toEqual([
        { json: { error: message }, pairedItem: { item: 0 } },
      ]);
    },
  );

  it('is a failure for an unsuccessful status, with the message of the service', async () => {
    answer('{"error":{"message":"no such thing"}}', 'application/json', 404);
    await expect(given()).rejects.toMatchObject({
      name: 'NodeApiError',
      message: 'The resource you are requesting could not be found',
      description: 'no such thing',
      context: { httpCode: '404' },
      itemIndex: 0,
    });
    expect(await json({}, { continueOnFail: true })).toEqual([
      {
        error: {
          message: '404 - "{\\"error\\":{\\"message\\":\\"no such thing\\"}}"',
          name: 'AxiosError',
          code: 'ERR_BAD_REQUEST',
          status: 404,
          statusCode: 404,
          httpCode: '404',
          isAxiosError: true,
          description: 'no such thing',
        },
      },
    ]);
    expect(await json({ neverError: true })).toEqual([{ error: { message: 'no such thing' } }]);
  });

  it('is a failure only for its own item if the node continues', async () => {
    answer('{"ok":true}', 'application/json');
    const items = await given({}, { continueOnFail: true, items: [{ json: {} }, { json: {} }] });
    expect(items).toHaveLength(2);
    const mixed = await runNode(client, {
      continueOnFail: true,
      items: [{ json: { url: server.url } }, { json: { url: 'nothing' } }],
      parameters: { url: (item) => String(item['url']) },
    });
    expect(mixed).toEqual([
      { json: { ok: true }, pairedItem: { item: 0 } },
      { json: { error: expect.stringContaining('Invalid URL') }, pairedItem: { item: 1 } },
    ]);
  });

  it.each<[number, { [key: string]: Stub }, boolean]>([
    [4.4, {}, true],
    [4, { redirect: { redirect: { followRedirects: false } } }, false],
    [3, {}, false],
    [3, { redirect: { redirect: { followRedirects: true } } }, true],
    [2, {}, true],
    [1, { followRedirect: false }, false],
  ])('of version %d follows redirects as its options %j say: %s', async (version, options, follows) => {
    answer('{"ok":true}', 'application/json');
    const parameters =
      version < 3
        ? { url: `${server.url}/moved`, options: { ...options, fullResponse: true, ignoreResponseCode: true } }
        : {
            url: `${server.url}/moved`,
            options: { ...options, response: { response: { fullResponse: true, neverError: true } } },
          };
    const [item] = await runNode(client, { version, parameters });
    expect(item?.json['statusCode']).toBe(follows ? 200 : 302);
    if (!follows) expect(Object.keys(item?.json ?? {})).not.toContain('data');
  });

  it('is a failure for a redirect that is not followed', async () => {
    await expect(runNode(client, { version: 3, parameters: { url: `${server.url}/moved` } })).rejects.toThrow(
      '302 - ""',
    );
  });

  it.each<[string, { [key: string]: Stub }, unknown]>([
    ['json', { options: { splitIntoItems: true } }, [{ a: 1 }, { a: 2 }]],
    ['string', {}, [{ data: [{ a: 1 }, { a: 2 }] }]],
    ['string', { dataPropertyName: 'text' }, [{ text: [{ a: 1 }, { a: 2 }] }]],
  ])('of version 1 has the format %s', async (responseFormat, more, expected) => {
    answer('[{"a":1},{"a":2}]', 'text/plain');
    const items = await runNode(client, { version: 1, parameters: { url: server.url, responseFormat, ...more } });
    expect(items.map((item) => item.json)).toEqual(expected);
  });

  it('reveals no secret of the credential in any failure', async () => {
    const secret = 'hunter2-s3cret&x';
    const credentials = { httpHeaderAuth: { name: 'x-key', value: secret } };
    const auth = { authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' };
    const run = { credentials, parameters: { url: server.url, ...auth } };
    for (const echo of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
      answer(JSON.stringify({ message: `wrong key ${echo}`, key: echo }), 'application/json', 401);
      const failure: unknown = await runNode(client, run).catch((error: unknown) => error);
      const [item] = await runNode(client, { ...run, continueOnFail: true });
      const seen = JSON.stringify([failure, failure instanceof Error ? failure.message : '', item]);
      expect(seen).toContain('wrong key ***');
      expect(seen).not.toContain(echo);
    }
    await expect(
      runNode(client, {
        credentials: { httpHeaderAuth: { name: 'x-key', value: `${secret}\n` } },
        parameters: run.parameters,
      }),
    ).rejects.toMatchObject({ message: expect.not.stringContaining(secret), context: { rule: 'header-value' } });
  });

  it('of another origin is requested without the credential', async () => {
    const other = await opened((seen, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(seen.headers));
    });
    const first = await opened((_seen, response) => {
      response.writeHead(307, { location: `${other.url}/` }).end();
    });
    const [item] = await runNode(client, {
      credentials: { httpHeaderAuth: { name: 'x-key', value: 's3cret' } },
      parameters: { url: first.url, authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' },
    });
    expect(first.last().headers['x-key']).toBe('s3cret');
    expect(item?.json).toHaveProperty('host');
    expect(item?.json).not.toHaveProperty('x-key');
  });

  it('is a failure with the reason if there is no response', async () => {
    const gone = await serveEcho();
    await gone.close();
    await expect(runNode(client, { parameters: { url: gone.url } })).rejects.toMatchObject({
      name: 'NodeApiError',
      context: { code: 'ECONNREFUSED' },
    });
    const [item] = await runNode(client, { continueOnFail: true, parameters: { url: gone.url } });
    expect(item?.json['error']).toMatchObject({ code: 'ECONNREFUSED', name: 'Error' });
  });

  it('is absent after the timeout, or when the run ends', async () => {
    const silent = await opened(() => undefined);
    await expect(runNode(client, { parameters: { url: silent.url, options: { timeout: 40 } } })).rejects.toMatchObject({
      message: 'The connection was aborted, perhaps the server is offline',
      description: 'There was no complete response within 40 ms.',
      context: { code: 'ECONNABORTED' },
    });
    const controller = new AbortController();
    const pending = runNode(client, {
      signal: controller.signal,
      continueOnFail: true,
      parameters: { url: silent.url },
    });
    controller.abort();
    await expect(pending).rejects.toMatchObject({ context: { code: 'ABORTED' } });
  });
});
