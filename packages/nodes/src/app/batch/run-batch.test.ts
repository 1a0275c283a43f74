import type { AppDocument, AppOperation } from '@weft/app-model';
import type { JsonObject } from '@weft/node-catalogue';
import type { SeenRequest } from '@weft/outbound/testing';
import { type AppTestRun, runAppKind } from '../testing/run-app';
import { type ServiceAnswer, testService } from '../testing/test-service';

describe('steps and batches of an app', () => {
  let requests: SeenRequest[];
  let answer: (seen: SeenRequest, count: number) => ServiceAnswer;
  const server = testService((seen) => {
    requests.push(seen);
    return answer(seen, requests.length);
  });
  beforeEach(() => {
    requests = [];
    answer = ({ path, body }) => ({ body: body === '' ? { path } : JSON.parse(body) });
  });

  const appWith = (operation: AppOperation): AppDocument => ({
    weftApp: 1,
    name: 'test',
    label: 'Test',
    hosts: ['127.0.0.1'],
    credentials: {},
    calls: { api: { url: server.url } },
    pages: { numbered: { by: 'page', into: 'query.page' } },
    kinds: {
      testApp: {
        label: 'Test',
        description: 'Test.',
        versions: [1],
        groups: ['input'],
        credentials: [],
        parameters: [{ name: 'a', label: 'A', type: 'json' }],
        operations: { default: operation },
      },
    },
  });
  const run = (operation: AppOperation, over: Partial<AppTestRun> = {}) =>
    runAppKind({ app: appWith(operation), http: server.client, ...over });
  const json = ({ items }: Awaited<ReturnType<typeof run>>): JsonObject[] => items.map((item) => item.json);
  const paths = (): string[] => requests.map(({ path }) => path);

  describe('a batch', () => {
    const batch: AppOperation = {
      call: 'api',
      method: 'POST',
      path: "={{ '/' + ($json.table ?? 't') }}",
      batch: { of: { id: '={{ $json.id }}' }, max: 2 },
      body: { rows: '={{ $batch }}' },
      list: 'rows',
    };
    const ids = (...all: number[]): JsonObject[] => all.map((id) => ({ id }));

    it('sends items with one request up to its maximum, and links the results', async () => {
      const result = await run(batch, { items: ids(1, 2, 3) });
      expect(requests.map(({ body }) => JSON.parse(body))).toEqual([{ rows: ids(1, 2) }, { rows: ids(3) }]);
      expect(json(result)).toEqual(ids(1, 2, 3));
      expect(result.items.map((item) => item.pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
    });

    it('sends items with other requests separately, and gives the results in the order of the items', async () => {
      const items = [
        { id: 1, table: 'a' },
        { id: 2, table: 'b' },
        { id: 3, table: 'a' },
      ];
      expect(json(await run(batch, { items }))).toEqual(ids(1, 2, 3));
      expect(paths()).toEqual(['/a', '/b']);
    });

    it('gives all entries with the first item if their number differs', async () => {
      answer = () => ({ body: { rows: ids(7, 8, 9) } });
      const result = await run(batch, { items: ids(1, 2) });
      expect(json(result)).toEqual(ids(7, 8, 9));
      expect(result.items.map((item) => item.pairedItem)).toEqual([{ item: 0 }, { item: 0 }, { item: 0 }]);
    });

    it('fails all items of a refused request, and only those', async () => {
      answer = ({ body }, count) => (count === 1 ? { status: 400, body: {} } : { body: JSON.parse(body) });
      const items = ids(1, 2, 3);
      expect((await run(batch, { items })).error?.message).toContain('Bad request');
      requests = [];
      const result = json(await run(batch, { items, continueOnFail: true }));
      expect(result).toEqual([{ error: expect.any(String) }, { error: expect.any(String) }, { id: 3 }]);
    });

    it('does not send a request again that is done, after a long delay of the next one', async () => {
      answer = ({ body }, count) =>
        count === 2 ? { status: 429, headers: { 'retry-after': '60' }, body: {} } : { body: JSON.parse(body) };
      const result = await run(batch, { items: ids(1, 2, 3) });
      expect(result.waits).toEqual([60_000]);
      expect(requests.map(({ body }) => JSON.parse(body).rows.length)).toEqual([2, 1, 1]);
      expect(json(result)).toEqual(ids(1, 2, 3));
    });

    it('fails the items that are refused before, and sends the others', async () => {
      const refuse = [{ when: '={{ $json.id === 2 }}', message: 'No two.' }];
      const result = await run({ ...batch, refuse }, { items: ids(1, 2, 3), continueOnFail: true });
      expect(json(result)).toEqual([{ id: 1 }, { error: 'No two.' }, { id: 3 }]);
      expect(requests).toHaveLength(1);
    });
  });

  it('sends a step once for all items with the same request', async () => {
    const steps = [{ as: 'table', once: true as const, call: 'api', path: "={{ '/table/' + $json.table }}" }];
    const operation = { steps, call: 'api', path: "={{ $steps.table.body.path + '/' + $json.id }}" };
    const items = [
      { table: 1, id: 1 },
      { table: 1, id: 2 },
      { table: 2, id: 3 },
    ];
    expect(json(await run(operation, { items })).map(({ path }) => path)).toEqual([
      '/table/1/1',
      '/table/1/2',
      '/table/2/3',
    ]);
    expect(paths().filter((path) => path.split('/').length === 3)).toEqual(['/table/1', '/table/2']);
  });

  describe('a step for each entry of a list', () => {
    const each = async (method: 'GET' | 'POST') => {
      answer = ({ path }, count) =>
        count === 2 ? { status: 429, headers: { 'retry-after': '60' }, body: {} } : { body: { path } };
      const steps = [{ as: 'all', forEach: '={{ $json.ids }}', call: 'api', method, path: "={{ '/' + $entry }}" }];
      return run(
        { steps, item: { all: '={{ $steps.all.map(one => one.body.path) }}' } },
        { items: [{ ids: [1, 2, 3] }] },
      );
    };

    it('is sent one at a time if it acts, and never again after a long delay', async () => {
      expect(json(await each('POST'))).toEqual([{ all: ['/1', '/2', '/3'] }]);
      expect(paths()).toEqual(['/1', '/2', '/2', '/3']);
    });

    it('is sent several at a time if it reads, and begins after the responses before a long delay', async () => {
      expect(json(await each('GET'))).toEqual([{ all: ['/1', '/2', '/3'] }]);
      expect(paths()).toEqual(['/1', '/2', '/3', '/2', '/3']);
    });
  });

  it('gives the complete list of a step with pages', async () => {
    answer = ({ path }) => ({ body: { rows: path.endsWith('=1') ? [1, 2] : path.endsWith('=2') ? [3] : [] } });
    const steps = [{ as: 'rows', once: true as const, call: 'api', path: '/rows', pages: 'numbered', list: 'rows' }];
    expect(json(await run({ steps, item: { rows: '={{ $steps.rows.body }}' } }))).toEqual([{ rows: [1, 2, 3] }]);
  });

  it('downloads the attachments of output items', async () => {
    answer = ({ path }) => ({ body: path === '/row' ? { file: '/a.txt' } : 'hello' });
    const of = "={{ [{ url: $output.file, property: 'file_0', name: 'a.txt', type: 'text/plain' }] }}";
    const app = appWith({ call: 'api', path: '/row', attachments: { call: 'file', of } });
    const file = { url: `={{ '${server.url}' + $attachment.url }}` };
    const { items } = await runAppKind({ app: { ...app, calls: { ...app.calls, file } }, http: server.client });
    expect(items).toMatchObject([
      { json: { file: '/a.txt' }, binary: { file_0: { fileName: 'a.txt', mimeType: 'text/plain' } } },
    ]);
    expect(paths()).toEqual(['/row', '/a.txt']);
  });

  it('counts only the first item if it says so', async () => {
    const operation = { firstOnly: '={{ true }}', call: 'api', path: "={{ '/' + $json.id }}" };
    expect(json(await run(operation, { items: [{ id: 1 }, { id: 2 }] }))).toEqual([{ path: '/1' }]);
  });

  it('takes its method from an expression, and refuses an unknown one', async () => {
    const operation = { call: 'api', method: '={{ $json.method }}', path: '/', body: { a: 1 } };
    expect(json(await run(operation, { items: [{ method: 'PUT' }] }))).toEqual([{ a: 1 }]);
    expect(requests[0]?.method).toBe('PUT');
    expect((await run(operation, { items: [{ method: 'TRACE' }] })).error?.message).toContain('unknown method: TRACE');
  });

  describe('a column mapping', () => {
    const operation: AppOperation = {
      typed: { a: '={{ true }}' },
      call: 'api',
      method: 'POST',
      path: '/',
      body: { '...': '={{ $p.a.value }}' },
    };
    const column = (type: string, more: JsonObject = {}): JsonObject => ({ id: 'x', type, ...more });
    const mapped = (value: unknown, one: JsonObject, more: JsonObject = {}) =>
      run(operation, {
        parameters: { a: JSON.parse(JSON.stringify({ value: { x: value }, schema: [one], ...more })) },
      });

    it.each([
      ['3', column('number'), 3],
      ['true', column('boolean'), true],
      [3, column('string'), 3],
      ['red', column('options', { options: [{ name: 'Red', value: 'red' }] }), 'red'],
      [null, column('number'), null],
    ])('makes %j of the column %j %j', async (value, one, expected) => {
      expect(json(await mapped(value, one, { attemptToConvertTypes: true }))).toEqual([{ x: expected }]);
    });

    it.each([
      ['three', column('number'), 'The column "x" needs a number'],
      ['blue', column('options', { options: [{ name: 'Red', value: 'red' }] }), 'is not an option of the column "x"'],
    ])('fails %j of the column %j', async (value, one, message) => {
      expect((await mapped(value, one, { attemptToConvertTypes: true })).error?.message).toContain(message);
      expect(requests).toEqual([]);
    });
  });
});
