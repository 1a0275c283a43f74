import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { callWebhook, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { connect, node, type NodeFile } from '../../support/workflows';

/** The field `data` of items. */
const textsOf = (items: unknown): string[] =>
  (Array.isArray(items) ? items : []).map((item: { readonly data?: unknown }) => String(item.data));

describe('data that nodes retain between runs', () => {
  let stack: Stack;
  let rest: Rest;

  beforeAll(async () => {
    stack = await borrowStack();
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
  });
  afterAll(async () => {
    await giveStackBack(stack);
  });

  /** Stores and activates a workflow that answers each call with the output of its last node. */
  const listen = async (path: string, ...nodes: readonly NodeFile[]): Promise<(body: unknown) => Promise<unknown>> => {
    const hook = node('Hook', 'webhook', 2, 0, {
      httpMethod: 'POST',
      path,
      responseMode: 'lastNode',
      responseData: 'allEntries',
    });
    const all = [hook, ...nodes];
    const created = await rest('POST', '/workflows', {
      name: path,
      nodes: all,
      settings: {},
      connections: connect(
        Object.fromEntries(all.slice(1).map((one, index) => [all[index]?.name ?? '', [[one.name]]])),
      ),
    });
    expect((await rest('POST', `/workflows/${textOf(created, 'id')}/activate`)).status).toBe(200);
    return async (body) => {
      const { status, text } = await callWebhook(stack.baseUrls[0] ?? '', path, body);
      expect([status, text]).toEqual([200, expect.any(String)]);
      return JSON.parse(text);
    };
  };

  it('Remove duplicates drops in the second run what it saw in the first', async () => {
    const call = await listen(
      'kept/seen',
      node('Split', 'splitOut', 1, 200, { fieldToSplitOut: 'body.ids', options: { destinationFieldName: 'id' } }),
      node('New', 'removeDuplicates', 2, 400, {
        operation: 'removeItemsSeenInPreviousExecutions',
        dedupeValue: '={{ $json.id }}',
      }),
    );
    expect(await call({ ids: ['a', 'b'] })).toEqual([{ id: 'a' }, { id: 'b' }]);
    expect(await call({ ids: ['b', 'c', 'a', 'd'] })).toEqual([{ id: 'c' }, { id: 'd' }]);
  });

  it('a counter in the static data of Code counts over webhook runs, also over those that come at once', async () => {
    const call = await listen(
      'kept/count',
      node('Count', 'code', 2, 200, {
        jsCode:
          "const kept = $getWorkflowStaticData('global'); kept.count = (kept.count ?? 0) + 1; return [{ " +
          'json: { count: kept.count } }]',
      }),
    );
    expect(await call({})).toEqual([{ count: 1 }]);
    expect(await call({})).toEqual([{ count: 2 }]);
    const atOnce = await Promise.all(Array.from({ length: 4 }, () => call({})));
    expect(atOnce.map((answer) => JSON.stringify(answer)).sort()).toEqual(
      [3, 4, 5, 6].map((count) => JSON.stringify([{ count }])),
    );
  });

  it('a variable is seen by expressions and code of the next run', async () => {
    const value = "={{ $vars.greeting + '!' }}";
    const call = await listen(
      'kept/variable',
      node('Set', 'set', 3.4, 200, {
        mode: 'manual',
        options: {},
        assignments: { assignments: [{ id: 'a', name: 'said', type: 'string', value }] },
      }),
      node('Code', 'code', 2, 400, { jsCode: 'return [{ json: { ...$json, code: $vars.greeting ?? null } }]' }),
    );
    const created = await rest('POST', '/variables', { key: 'greeting', value: 'hello' });
    expect(created.status).toBe(201);
    expect(await call({})).toEqual([{ said: 'hello!', code: 'hello' }]);
    const id = textOf(created, 'id');
    expect((await rest('PUT', `/variables/${id}`, { key: 'greeting', value: 'bye' })).status).toBe(200);
    expect(await call({})).toEqual([{ said: 'bye!', code: 'bye' }]);
    expect((await rest('DELETE', `/variables/${id}`)).status).toBe(200);
    expect(await call({})).toMatchObject([{ code: null }]);
  });

  it('a file that a run writes is read in the same run and in the next ones, and by no other workflow', async () => {
    const toFile = node('File', 'convertToFile', 1.1, 200, { operation: 'toText', sourceProperty: 'body.line' });
    const write = node('Write', 'readWriteFile', 1, 400, {
      operation: 'write',
      fileName: '/data/log.txt',
      options: { append: true },
    });
    const read = node('Read', 'readBinaryFiles', 1, 600, { fileSelector: './data/*.txt', dataPropertyName: 'log' });
    const text = node('Text', 'extractFromFile', 1.1, 800, { operation: 'text', binaryPropertyName: 'log' });
    const call = await listen('kept/file', toFile, write, read, text);
    expect(await call({ line: 'one,' })).toEqual([{ data: 'one,' }]);
    expect(await call({ line: 'two,' })).toEqual([{ data: 'one,two,' }]);
    await Promise.all(['3', '4', '5', '6'].map((line) => call({ line })));
    const [found] = textsOf(await call({ line: ',last' }));
    const [first, second, rest, last] = found?.split(',') ?? [];
    expect([first, second, [...(rest ?? '')].sort(), last]).toEqual(['one', 'two', ['3', '4', '5', '6'], 'last']);
    const other = await listen('kept/no-file', { ...read, onError: 'stopWorkflow', alwaysOutputData: true });
    expect(await other({})).toEqual([{}]);
  });

  it('rows of a data table that one workflow adds are found by another, and over REST', async () => {
    const created = await rest('POST', '/data-tables', {
      name: 'people',
      columns: [
        { name: 'who', type: 'string' },
        { name: 'age', type: 'number' },
      ],
    });
    expect(created.status).toBe(201);
    const table = { dataTableId: { __rl: true, mode: 'name', value: 'people' } };
    const conditions = (condition: string, keyValue: unknown) => ({
      filters: { conditions: [{ keyName: 'age', condition, keyValue }] },
    });
    const split = node('Split', 'splitOut', 1, 200, { fieldToSplitOut: 'body.people', options: {} });
    const add = await listen(
      'kept/add',
      split,
      node('Add', 'dataTable', 1.1, 400, {
        operation: 'insert',
        ...table,
        columns: { mappingMode: 'autoMapInputData', value: null },
      }),
    );
    const find = await listen(
      'kept/find',
      node('Find', 'dataTable', 1, 200, {
        operation: 'get',
        ...table,
        ...conditions('gte', '={{ $json.body.from }}'),
        returnAll: true,
      }),
    );
    const age = await listen(
      'kept/age',
      node('Age', 'dataTable', 1.1, 200, {
        operation: 'update',
        ...table,
        ...conditions('lt', 30),
        columns: { mappingMode: 'defineBelow', value: { age: '={{ $json.body.age }}' } },
      }),
    );
    expect(
      await add({
        people: [
          { who: 'Ada', age: 36 },
          { who: 'Bob', age: 20 },
        ],
      }),
    ).toMatchObject([
      { id: 1, who: 'Ada', age: 36 },
      { id: 2, who: 'Bob', age: 20 },
    ]);
    expect(await find({ from: 30 })).toMatchObject([{ who: 'Ada' }]);
    expect(await age({ age: 31 })).toMatchObject([{ who: 'Bob', age: 31 }]);
    expect(await find({ from: 30 })).toMatchObject([{ who: 'Ada' }, { who: 'Bob' }]);
    expect(listOf(await rest('GET', `/data-tables/${textOf(created, 'id')}/rows`))).toMatchObject([
      { id: 1, who: 'Ada', age: 36 },
      { id: 2, who: 'Bob', age: 31 },
    ]);
  });
});
