import type { JsonObject } from '@weft/node-catalogue';
import { type CaseServer, startCaseServer } from '../../../testing/servers/case-server';
import { callTools, type ToolTest, type ToolTestResult } from '../testing/call-tools';

let server: CaseServer;
beforeAll(async () => {
  server = await startCaseServer();
});
beforeEach(() => server.answerWith(undefined));
afterAll(() => server.close());

const run = (
  parameters: JsonObject,
  calls: readonly JsonObject[] = [],
  test: Partial<ToolTest> = {},
): Promise<ToolTestResult> =>
  callTools({
    tool: { type: '@n8n/n8n-nodes-langchain.toolHttpRequest', name: 'Get weather', version: 1.1, parameters },
    calls,
    ports: { http: server.http },
    ...test,
  });
const page =
  '<html><nav>menu</nav><body><h1>Bern</h1><p class="t">21 <b>C</b></p><p class="t">wet</p>' +
  '<script>x</script></body></html>';

describe('an HTTP request as a tool', () => {
  it('takes placeholders and values of the model as arguments', async () => {
    const { functions } = await run({
      toolDescription: 'Weather',
      url: `${server.url}/{city}`,
      sendQuery: true,
      parametersQuery: {
        values: [
          { name: 'days', valueProvider: 'modelRequired' },
          { name: 'unit', valueProvider: 'modelOptional' },
          { name: 'q', valueProvider: 'fieldValue', value: 'in {country}' },
        ],
      },
      placeholderDefinitions: {
        values: [
          { name: '{city}', description: 'a city', type: 'string' },
          { name: 'days', description: '', type: 'number' },
        ],
      },
    });
    expect(functions).toEqual([
      {
        name: 'Get_weather',
        description: 'Weather',
        parameters: {
          type: 'object',
          properties: {
            city: { type: 'string', description: 'a city' },
            days: { type: 'number' },
            unit: { type: 'string' },
            country: { type: 'string' },
          },
          required: ['city', 'days', 'country'],
          additionalProperties: false,
        },
      },
    ]);
  });

  it('fills path, query, headers and body, and gives the response as text', async () => {
    const { texts } = await run(
      {
        method: 'POST',
        url: `${server.url}/w/{city}`,
        sendQuery: true,
        parametersQuery: { values: [{ name: 'q', valueProvider: 'fieldValue', value: 'in {country}' }] },
        sendHeaders: true,
        specifyHeaders: 'json',
        jsonHeaders: '{"x-unit": "{unit}"}',
        sendBody: true,
        specifyBody: 'model',
      },
      [{ city: 'La Chaux', country: 'CH & co', unit: 'C', body: { a: [1] } }],
    );
    expect(JSON.parse(texts[0] ?? '')).toMatchObject({
      method: 'POST',
      path: '/w/La%20Chaux?q=in%20CH%20%26%20co',
      body: '{"a":[1]}',
    });
    expect(server.last().headers['x-unit']).toBe('C');
  });

  it('never lets a value change the structure of JSON', async () => {
    const json = '{"name": "I am {name}", "count": {count}, "note": {note}, "data": {data}}';
    const parameters = {
      method: 'POST',
      url: server.url,
      sendBody: true,
      specifyBody: 'json',
      jsonBody: json,
      placeholderDefinitions: { values: [{ name: 'data', type: 'json', description: '' }] },
    };
    const hostile = '", "admin": true, "x": "';
    await run(parameters, [{ name: hostile, count: '5', note: '1, "admin": true', data: '{"b":2}' }]);
    expect(JSON.parse(server.last().body)).toEqual({
      name: `I am ${hostile}`,
      count: 5,
      note: '1, "admin": true',
      data: { b: 2 },
    });
  });

  it('sends a credential only to the host of the URL', async () => {
    const over = { credential: { name: 'x-key', value: 'k-1234567890' } };
    const authentication = { authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' };
    const credentials = { httpHeaderAuth: { id: 'c', name: 'c' } };
    const keyed = (url: string, calls: readonly JsonObject[]): Promise<ToolTestResult> =>
      run({ url, ...authentication }, calls, {
        over,
        tool: {
          type: '@n8n/n8n-nodes-langchain.toolHttpRequest',
          version: 1.1,
          parameters: { url, ...authentication },
          over: { credentials },
        },
      });
    const { texts, result } = await keyed(`${server.url}/{path}`, [{ path: 'a/b' }, { path: '//evil.example' }]);
    expect(server.last().headers['x-key']).toBe('k-1234567890');
    expect(JSON.parse(texts[0] ?? '')).toMatchObject({ path: '/a/b' });
    expect(JSON.stringify([...result.records])).not.toContain('k-1234567890');
    const chosen = await keyed('https://{host}/a', [{ host: 'evil.example' }]);
    expect(chosen.result.outcome).toMatchObject({
      kind: 'error',
      error: { message: expect.stringContaining('cannot be a placeholder') },
    });
    const glued = await keyed(`${server.url}{path}`, [{ path: '.evil.example/' }]);
    expect(glued.result.outcome.kind).toBe('error');
  });

  it('reports an error status to the model', async () => {
    server.answerWith({ status: 404, body: '{"message":"no such city"}' });
    const { texts } = await run({ url: server.url }, [{}]);
    expect(texts[0]).toMatch(/^The tool failed: .*(404|no such city)/);
  });

  it('refuses a placeholder that is defined and not used', async () => {
    const { result } = await run({ url: server.url, placeholderDefinitions: { values: [{ name: 'city' }] } });
    expect(result.outcome).toMatchObject({ error: { message: 'The placeholder "city" is defined but not used' } });
  });
});

describe.each([
  ['toolHttpRequest', '@n8n/n8n-nodes-langchain.toolHttpRequest', 1.1],
  ['httpRequestTool', 'n8n-nodes-base.httpRequestTool', 4.2],
])('the response of %s', (_, type, version) => {
  const responseOf = async (body: string, contentType: string, parameters: JsonObject): Promise<string> => {
    server.answerWith({ body, type: contentType });
    const tool = { type, version, parameters: { url: server.url, optimizeResponse: true, ...parameters } };
    return (await callTools({ tool, calls: [{}], ports: { http: server.http } })).texts[0] ?? '';
  };
  const valueOf = (text: string): unknown => JSON.parse(text);

  it('can be cut to fields of the data', async () => {
    const body = JSON.stringify({
      meta: 1,
      list: [
        { id: 1, a: { b: 2, c: 3 } },
        { id: 2, a: { b: 4 } },
      ],
    });
    const selected = { dataField: 'list', fieldsToInclude: 'selected', fields: 'id, a.b' };
    expect(valueOf(await responseOf(body, 'application/json', selected))).toEqual([
      { id: 1, a: { b: 2 } },
      { id: 2, a: { b: 4 } },
    ]);
    const except = { dataField: 'list', fieldsToInclude: 'except', fields: 'a' };
    expect(valueOf(await responseOf(body, 'application/json', except))).toEqual([{ id: 1 }, { id: 2 }]);
    expect(await responseOf(body, 'application/json', { dataField: 'none' })).toContain(
      'It has these fields: meta, list.',
    );
  });

  it('can be cut to elements of a page', async () => {
    const html = { responseType: 'html', cssSelector: 'p.t' };
    const text = await responseOf(page, 'text/html', html);
    expect(text).toContain('21 <b>C</b>');
    expect(text).not.toContain('Bern');
    const only = await responseOf(page, 'text/html', { ...html, onlyContent: true, elementsToOmit: 'b' });
    expect(only).toContain('wet');
    expect(only).not.toContain('C');
  });

  it('can be cut to the text of a page, and to a length', async () => {
    const text = await responseOf(page, 'text/html', { responseType: 'text' });
    expect(text.toLowerCase()).toContain('bern');
    expect(text).not.toContain('menu');
    const short = await responseOf(page, 'text/html', { responseType: 'text', truncateResponse: true, maxLength: 3 });
    expect(short).not.toContain('wet');
  });

  it('is refused if it does not have the expected form', async () => {
    expect(await responseOf('{"a":1}', 'application/json', { responseType: 'html' })).toContain('must be text');
    expect(await responseOf('<p>', 'text/html', { responseType: 'json' })).toContain('not valid JSON');
  });
});
