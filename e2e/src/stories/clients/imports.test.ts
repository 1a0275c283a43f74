import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { createServer, type Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import { compareChecks, mutationsOf } from '../../support/compare-checks';
import { callWebhook, dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { chain, node, type NodeFile, type WorkflowFile } from '../../support/workflows';

// Files as other instances export them, and requests of senders that cannot be changed.

const hook = (path: string, parameters: object = {}): NodeFile =>
  node('Hook', 'webhook', 2, 0, {
    httpMethod: 'POST',
    path,
    responseMode: 'lastNode',
    responseData: 'allEntries',
    options: {},
    ...parameters,
  });

const set = (fields: Readonly<Record<string, string>>): NodeFile =>
  node('Out', 'set', 3.4, 900, {
    assignments: {
      assignments: Object.entries(fields).map(([name, value]) => ({ id: name, name, type: 'string', value })),
    },
    options: {},
  });

describe('an imported workflow', () => {
  let stack: Stack;
  let rest: Rest;
  let base = '';
  let server: Server;
  let target = '';
  const seen: (string | undefined)[] = [];

  beforeAll(async () => {
    stack = await borrowStack({});
    base = stack.baseUrls[0] ?? '';
    rest = restClient(base, stack.apiKey);
    server = createServer((request, response) => {
      seen.push(request.headers['x-own']?.toString());
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ method: request.method }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    target = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  });
  afterAll(async () => {
    server.close();
    await giveStackBack(stack);
  });

  const store = async (file: WorkflowFile & { readonly active?: boolean }) => rest('POST', '/workflows', file);
  const warningsOf = (json: object): unknown => ('warnings' in json ? json.warnings : undefined);

  it('uses the credential of the same name and type, and names one that does not exist', async () => {
    const type = 'httpHeaderAuth';
    await rest('POST', '/credentials', { name: 'Billing key', type, data: { name: 'X-Own', value: 'planted value' } });
    const call = (path: string, name: string): WorkflowFile & { active: true } => ({
      ...chain(path, [
        hook(path),
        node(
          'Call',
          'httpRequest',
          4.2,
          200,
          { url: target, authentication: 'genericCredentialType', genericAuthType: type, options: {} },
          { credentials: { [type]: { id: 'idOfAnotherInstance', name } } },
        ),
      ]),
      active: true,
    });
    expect(warningsOf((await store(call('import-named', 'Billing key'))).json)).toBeUndefined();
    expect((await callWebhook(base, 'import-named', {})).status).toBe(200);
    expect(seen.at(-1)).toBe('planted value');

    const missing = await store(call('import-missing', 'Shipping key'));
    expect(JSON.stringify(warningsOf(missing.json))).toContain('Shipping key');
    expect((await callWebhook(base, 'import-missing', {})).status).toBe(500);
    const [run] = listOf(await rest('GET', `/executions?workflowId=${textOf(missing, 'id')}`));
    const { text } = await rest('GET', `/executions/${String(run?.['id'])}?includeData=true`);
    expect(text).toContain('The credential \\"Shipping key\\" of type httpHeaderAuth does not exist');
  });

  it('is stored as inactive if a node is not known, with what takes its place', async () => {
    const answer = await store({
      ...chain('import-mail', [hook('import-mail'), node('Task', 'asana', 1, 200)]),
      active: true,
    });
    expect([answer.status, dataOf(answer)['active']]).toEqual([201, false]);
    expect(JSON.stringify(warningsOf(answer.json))).toMatch(/"active".*stored, but not activated.*asanaApi/);
  });

  it('is checked before it is stored, with the outcome that its activation then has', async () => {
    await store({ ...chain('check-taken', [hook('check-taken')]), active: true });
    const definitions = [
      chain('check-good', [hook('check-good'), set({ a: '1' })]),
      chain('check-taken again', [hook('check-free', {}), set({ a: '1' })]),
      chain('check-kind', [hook('check-kind'), node('Task', 'asana', 1, 200)]),
      chain('check-no-trigger', [set({ a: '1' })]),
      chain('check-odd', [node('Odd', 'nonsense', 1, 0)]),
      { ...chain('check-shape', [hook('check-shape')]), nodes: [{ name: 'A' }] },
      ...mutationsOf([{ name: 'base', definition: { ...chain('check-base', [hook('check-base')]) } }], 10).map(
        ({ definition }) => definition,
      ),
    ].map((definition, index) => ({ name: `definition ${index}`, definition: { ...definition } }));
    const { differences, runnable, refused } = await compareChecks(rest, definitions);
    expect(differences).toEqual([]);
    expect(Math.min(runnable, refused)).toBeGreaterThan(3);

    const { json } = await rest('POST', '/workflows/check', { workflows: [chain('x', [hook('check-taken')])] });
    expect(json.data).toMatchObject([
      { runnable: false, fields: [{ field: 'nodes[0].parameters.path' }], routes: [{ takenBy: expect.any(String) }] },
    ]);
  });

  it('runs with choices in expression mode, odd versions, unknown options and doubled backslashes', async () => {
    const answer = await store({
      ...chain('import-odd', [
        hook('=import-odd', { httpMethod: '=POST', responseMode: '=lastNode' }),
        node('Nothing', 'noOp', 1.8, 200),
        node('Split', 'splitOut', 1, 400, { fieldToSplitOut: 'body.list', options: { ignoreMissing: true } }),
        node('Call', 'httpRequest', 4.2, 600, { method: '=PUT', url: `=${target}`, options: {} }),
        set({ path: String.raw`=C:\\x\\{{ $json.method }}`, own: '={{ "abc".hasOwnProperty("text") }}' }),
      ]),
      active: true,
    });
    expect(JSON.stringify(warningsOf(answer.json))).toMatch(/no version 1\.8.*ignoreMissing/);
    const { text } = await callWebhook(base, 'import-odd', { list: [1] });
    expect(JSON.parse(text)).toEqual([{ path: String.raw`C:\x\PUT`, own: 'false' }]);
  });

  it('reads compressed calls, long form fields, and tables in any encoding', async () => {
    await store({
      ...chain('import-body', [hook('import-body'), set({ length: '={{ $json.body.text.length }}' })]),
      active: true,
    });
    const url = `${base}/webhook/import-body`;
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const packed = await fetch(url, { method: 'POST', headers, body: gzipSync('{"text":"packed"}') });
    expect([packed.status, await packed.json()]).toEqual([200, [{ length: '6' }]]);
    const form = new FormData();
    form.set('text', 'x'.repeat(2_000_000));
    expect(await (await fetch(url, { method: 'POST', body: form })).json()).toEqual([{ length: '2000000' }]);

    const data = Buffer.from('\uFEFFid;name\n1;über\n', 'utf16le').toString('base64');
    const file = { data, mimeType: 'text/csv', fileName: 'a.csv' };
    await store({
      ...chain('import-csv', [
        hook('import-csv'),
        node('File', 'code', 2, 200, { jsCode: `return [{ json: {}, binary: { data: ${JSON.stringify(file)} } }]` }),
        node('Rows', 'extractFromFile', 1, 400, { operation: 'csv', options: { delimiter: ';' } }),
      ]),
      active: true,
    });
    expect(JSON.parse((await callWebhook(base, 'import-csv', {})).text)).toEqual([{ id: '1', name: 'über' }]);
  });

  it('has the same due times in every preview for H in a cron expression', async () => {
    const rule = { interval: [{ field: 'cronExpression', expression: 'H H * * *' }] };
    const file = chain('import-clock', [node('Clock', 'scheduleTrigger', 1.2, 0, { rule }), set({ a: '1' })]);
    const id = textOf(await store({ ...file, active: true }), 'id');
    const next = async (): Promise<unknown> => dataOf(await rest('GET', `/workflows/${id}/schedule?count=5`))['next'];
    const before = await next();
    expect(before).toHaveLength(5);
    expect(await next()).toEqual(before);
    await rest('PUT', `/workflows/${id}`, { ...file, name: 'renamed' });
    expect(await next()).toEqual(before);
    await rest('POST', `/workflows/${id}/deactivate`);
    expect(await next()).toEqual(before);
  });
});
