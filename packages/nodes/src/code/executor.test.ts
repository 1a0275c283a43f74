import type { JsonObject } from '@weft/node-catalogue';
import { openCode } from '../testing/open-code';
import type { ExecutionMode } from '@weft/engine';
import { memoryFiles } from '@weft/engine/testing';
import { memoryState } from '../testing/memory-state';
import type { NodesResult, TestNode } from './testing/run-nodes';
import { runNodes } from './testing/run-nodes';

const THREE = [{ json: { i: 1 } }, { json: { i: 2 } }, { json: { i: 3 } }];
const EACH = { mode: 'runOnceForEachItem' };
const pool = openCode();
afterAll(() => pool.close());

const run = (jsCode: string, parameters: JsonObject = {}, over: JsonObject = {}): Promise<NodesResult> =>
  runNodes(
    pool,
    [
      ['Data', 'noOp', {}],
      ['Code', 'code', { jsCode, ...parameters }, over],
    ],
    THREE,
  );

describe.each([1, 2])('Code version %d', (typeVersion) => {
  const version = { typeVersion };

  it('runs once for all items, and returns items', async () => {
    const { items } = await run(
      'return $input.all().map((item) => ({ json: { double: item.json.i * 2 } }))',
      {},
      version,
    );
    expect(items('Code')).toEqual([1, 2, 3].map((i, item) => ({ json: { double: i * 2 }, pairedItem: { item } })));
  });

  it('runs once for each item, drops those for which it returns null, and links the others', async () => {
    const { items } = await run(
      'if ($json.i === 2) return null;\nitem.json.at = $itemIndex; return item',
      EACH,
      version,
    );
    expect(items('Code')).toEqual([
      { json: { i: 1, at: 0 }, pairedItem: { item: 0 } },
      { json: { i: 3, at: 2 }, pairedItem: { item: 2 } },
    ]);
  });
});

describe('the result of code', () => {
  it.each([
    ['an object', 'return { a: 1 }', [{ a: 1 }]],
    ['an array of objects', 'return [{ a: 1 }, { a: 2 }]', [{ a: 1 }, { a: 2 }]],
    ['an item', 'return { json: { a: 1 } }', [{ a: 1 }]],
    ['empty, with null', 'return null', []],
    ['empty, with an empty array', 'return []', []],
    ['the changed input', 'for (const item of items) item.json.i += 1; return items', [{ i: 2 }, { i: 3 }, { i: 4 }]],
    [
      'fields without a JSON form',
      'return { u: undefined, f: () => 1, n: NaN, d: new Date(0), z: DateTime.fromISO("2024-01-01T00:00:00") }',
      [{ n: null, d: '1970-01-01T00:00:00.000Z', z: '2024-01-01T00:00:00.000-05:00' }],
    ],
    ['a promise', 'return Promise.resolve([{ a: 1 }])', [{ a: 1 }]],
  ])('may be %s', async (_, jsCode, json) => {
    const result = await run(jsCode);
    expect(result.error).toBeUndefined();
    expect(result.json('Code')).toEqual(json);
  });

  it.each([
    ['missing', 'const a = 1', "Code doesn't return items properly"],
    ['a number', 'return 5', "Code doesn't return items properly"],
    ['an array of numbers', 'return [1, 2]', "Code doesn't return items properly"],
    ['a mix of items and objects', 'return [{ json: {} }, { a: 1 }]', 'Unknown top-level item key: a [item 1]'],
    [
      'an item with json that is not an object',
      'return [{ json: "text" }]',
      "A 'json' property isn't an object [item 0]",
    ],
    [
      'an item with binary that is not an object',
      'return [{ json: {}, binary: 5 }]',
      "A 'binary' property isn't an object [item 0]",
    ],
    ['circular', 'const a = {}; a.a = a; return a', 'Converting circular structure to JSON'],
    ['a field called __proto__', 'return JSON.parse(`{"__proto__":{"a":1}}`)', 'data that cannot be stored'],
    [
      'nested deeper than can be stored',
      'let a = {}; for (let i = 0; i < 200; i += 1) a = { a }; return a',
      'data that cannot be stored',
    ],
  ])('must not be %s', async (_, jsCode, message) => {
    const { error } = await run(jsCode);
    expect(error?.message).toContain(message);
  });

  it.each([
    ['a string', 'return "a"'],
    ['an array', 'return [{ a: 1 }]'],
    ['an item whose json is not an object', 'return { json: null }'],
  ])('must not be %s when it runs for each item', async (_, jsCode) => {
    expect((await run(jsCode, EACH)).error?.message).toBe("A 'json' property isn't an object [item 0]");
  });

  it.each([
    ['nothing', 'return', {}, []],
    ['null', 'return null', {}, []],
    ['false', 'return false', {}, []],
    ['fields next to json', 'return { json: { a: 1 }, b: 2 }', {}, [{ a: 1 }, { a: 1 }, { a: 1 }]],
    ['only a file', 'return { binary: {}, b: 2 }', {}, [{}, {}, {}]],
  ])('may be %s when it runs for each item', async (_, jsCode, options, json) => {
    const result = await run(jsCode, EACH, options);
    expect(result.error).toBeUndefined();
    expect(result.json('Code')).toEqual(json);
  });

  it.each([
    ['all items', {}, 'return 5'],
    ['each item', EACH, 'if ($json.i === 2) return 7; return item'],
  ])('of an invalid form, for %s, passes the input on if the node continues', async (_, parameters, jsCode) => {
    const result = await run(jsCode, parameters, { onError: 'continueRegularOutput' });
    expect(result.json('Code')).toEqual([{ i: 1 }, { i: 2 }, { i: 3 }]);
  });

  it.each([
    ['all items', {}, 'return { json: "test" }', [[], [{ error: "A 'json' property isn't an object [item 0]" }]]],
    [
      'each item',
      EACH,
      'if ($json.i === 2) return 7; return item',
      [[{ i: 1 }, { i: 3 }], [{ i: 2, error: "A 'json' property isn't an object [item 1]" }]],
    ],
  ])('of an invalid form, for %s, goes to the error output if there is one', async (_, parameters, jsCode, outputs) => {
    const result = await run(jsCode, parameters, { onError: 'continueErrorOutput' });
    expect([result.json('Code', 0), result.json('Code', 1)]).toEqual(outputs);
  });

  it('may mark an item as failed, which drops its other fields', async () => {
    expect((await run('return [{ json: { a: 1 }, error: { message: "bad" } }]')).json('Code')).toEqual([
      { error: 'bad' },
    ]);
  });

  it('keeps the item linking of items that the code passes on', async () => {
    const { items } = await run('return [items[2], items[0]]');
    expect(items('Code').map(({ pairedItem }) => pairedItem)).toEqual([{ item: 2 }, { item: 0 }]);
  });

  it('is linked to the first item if one item is made from several', async () => {
    const { items } = await run('return [{ json: { count: items.length } }]');
    expect(items('Code').map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
  });

  it('uses the given item linking, and omits it if it cannot be derived', async () => {
    const result = await run(
      'return [{ json: {}, pairedItem: 2 }, { json: {}, pairedItem: { item: 1 } }, { json: {}, pairedItem: ' +
        '[0, { item: 1, input: 0 }] }]',
    );
    expect(result.items('Code').map(({ pairedItem }) => pairedItem)).toEqual([
      2,
      { item: 1 },
      [{ item: 0 }, { item: 1, input: 0 }],
    ]);
    const open = await run('return [{ a: 1 }, { a: 2 }]');
    expect(open.items('Code').map(({ pairedItem }) => pairedItem)).toEqual([undefined, undefined]);
  });
});

describe('the resume URLs of a run', () => {
  const see = async (jsCode: string): Promise<{ readonly made: number; readonly json: unknown }> => {
    let made = 0;
    const resumeToken = (): string => `token${(made += 1)}`;
    const { json } = await runNodes(pool, [['Code', 'code', { jsCode }]], undefined, undefined, { resumeToken });
    return { made, json: json('Code')[0] };
  };

  it.each(['return $execution', 'const g = globalThis; return g["$exec" + "ution"]'])(
    'are passed to code that may read them: %s',
    async (jsCode) => {
      expect(await see(jsCode)).toMatchObject({ made: 1, json: { resumeUrl: 'https://here/webhook-waiting/token1' } });
    },
  );

  it('are not created for other code', async () => {
    expect(await see('return { id: $json.id ?? 1 }')).toEqual({ made: 0, json: { id: 1 } });
  });
});

describe('the input of code', () => {
  const see = async (expression: string, parameters: JsonObject = {}): Promise<unknown> => {
    const { json, error } = await run(`return { seen: ${expression} }`, parameters);
    if (error !== undefined) throw new Error(error.message);
    return json('Code').map((one) => Object(one)['seen']);
  };

  it.each([
    ['[$input.first().json.i, $input.last().json.i, $input.item.json.i, $json.i, items.length]', [[1, 3, 1, 1, 3]]],
    [
      '[$workflow.name, $workflow.id, $execution.id, $execution.mode, $prevNode.name, $runIndex, $itemIndex]',
      [['Test', 'w1', 'e1', 'test', 'Data', 0, 0]],
    ],
    ['[$vars.limit, $env.REGION, $env.PATH, $now.zoneName]', [[5, 'eu', null, 'America/New_York']]],
    [
      '[$("Data").first().json.i, $("Data").last().json.i, $("Data").all().length, $("Data").item.json.i, ' +
        '$("Data").itemMatching(2).json.i]',
      [[1, 3, 3, 1, 3]],
    ],
    [
      '[$node["Data"].json.i, $node.Data.json.i, $items("Data").length, $items().length, ' +
        '$item(1).$node["Data"].json.i]',
      [[1, 1, 3, 3, 2]],
    ],
    ['[$("Data").isExecuted, $("Code").isExecuted, $("Data").params, $input.params]', [[true, false, {}, {}]]],
    ['["Da" + "ta"].map((name) => $(name).all().length)', [[3]]],
    ['[$("Data").all(0).length, $("Data").all(0, 0).length, $("Data").first(0, -1).json.i]', [[3, 3, 1]]],
    ['[typeof item, typeof this.helpers, this.getNodeParameter("mode")]', [['undefined', 'object', null]]],
  ])('%s', async (expression, seen) => {
    expect(await see(expression)).toEqual(seen);
  });

  it('has the item that each call is for', async () => {
    expect(
      await see(
        '[$json.i, $input.item.json.i, $("Data").item.json.i, $itemIndex, $input.all().length, typeof items]',
        EACH,
      ),
    ).toEqual([
      [1, 1, 1, 0, 3, 'undefined'],
      [2, 2, 2, 1, 3, 'undefined'],
      [3, 3, 3, 2, 3, 'undefined'],
    ]);
  });

  it('has all items even if it runs only for the first', async () => {
    const { json } = await run(
      'return [{ json: { n: $input.all().length, items: items.length } }]',
      {},
      { executeOnce: true },
    );
    expect(json('Code')).toEqual([{ n: 3, items: 3 }]);
    expect((await run('return { n: $input.all().length }', EACH, { executeOnce: true })).json('Code')).toEqual([
      { n: 3 },
    ]);
  });

  it('reports that a node does not exist, has not run, or has no such output', async () => {
    const { error } = await run('$("Nothing").first()');
    expect(error).toMatchObject({
      message: "Referenced node doesn't exist [line 1]",
      description: "The node 'Nothing' doesn't exist, but it is used in the code here.",
    });
    expect((await run('return { ran: $("Code").isExecuted, all: $("Code").all() }')).error?.message).toBe(
      "Node 'Code' hasn't been executed [line 1]",
    );
    expect((await run('$("Data").all(7)')).error?.message).toContain("Node 'Data' has no output 7");
  });
});

describe('the state that code stores', () => {
  const rows = (...codes: readonly (string | readonly [string, JsonObject])[]): readonly TestNode[] =>
    codes.map((one, index): TestNode => {
      const [jsCode, over] = typeof one === 'string' ? [one, {}] : one;
      return [`C${index}`, 'code', { jsCode }, over];
    });

  it('shares static data of the workflow with all nodes, and static data of a node with no other', async () => {
    const { json } = await runNodes(
      pool,
      rows(
        'const s = $getWorkflowStaticData("global"); s.k = 7; $getWorkflowStaticData("node").own = 1; return {}',
        'return { k: $getWorkflowStaticData("global").k, own: Object.keys($getWorkflowStaticData("node")) }',
      ),
    );
    expect(json('C1')).toEqual([{ k: 7, own: [] }]);
  });

  it('includes static data and custom data of failed attempts', async () => {
    const { json } = await runNodes(
      pool,
      rows([
        'const s = $getWorkflowStaticData("global"); s.n = (s.n ?? 0) + 1; ' +
          '$execution.customData.set("tries", s.n); if (s.n < 3) throw new Error("try"); return { n: s.n, ' +
          'marks: $execution.customData.getAll() }',
        { retryOnFail: true, maxTries: 3 },
      ]),
    );
    expect(json('C0')).toEqual([{ n: 3, marks: { tries: '3' } }]);
  });

  it('includes static data for the next run, except from manual runs', async () => {
    const kept = memoryState();
    const counter = 'const s = $getWorkflowStaticData("global"); s.n = (s.n ?? 0) + 1; return { n: s.n }';
    const counts = async (mode: ExecutionMode, executionId: string, over: JsonObject = {}) =>
      (await runNodes(pool, rows([counter, over], counter), undefined, undefined, { mode, executionId, kept })).json(
        'C1',
      );
    expect(await counts('webhook', 'e1')).toEqual([{ n: 2 }]);
    expect(await counts('trigger', 'e2')).toEqual([{ n: 4 }]);
    expect(await counts('manual', 'e3')).toEqual([{ n: 6 }]);
    expect(await counts('manual', 'e4')).toEqual([{ n: 6 }]);
    // When repeated after a crash, the first node sees and returns the same as the first time.
    expect(await counts('trigger', 'e2')).toEqual([{ n: 4 }]);
    expect(await counts('webhook', 'e5')).toEqual([{ n: 6 }]);
  });

  it('includes the static data of both of two racing runs', async () => {
    const kept = memoryState();
    const counter =
      'const s = $getWorkflowStaticData("global"); s.n = (s.n ?? 0) + 1; console.log("counts"); return { n: s.n }';
    const count = async (executionId: string) =>
      runNodes(pool, rows(counter), undefined, undefined, { mode: 'webhook', executionId, kept });
    kept.beforeWrite = async () => {
      expect((await count('quicker')).json('C0')).toEqual([{ n: 1 }]);
    };
    const slower = await count('slower');
    expect(slower.json('C0')).toEqual([{ n: 2 }]);
    expect(slower.runs('C0')[0]?.console).toEqual(['counts']);
  });

  it('includes static data of code that fails', async () => {
    const kept = memoryState();
    const failing = 'const s = $getWorkflowStaticData("node"); s.n = (s.n ?? 0) + 1; throw new Error(`failed ${s.n}`)';
    const fail = async (executionId: string) =>
      (await runNodes(pool, rows(failing), undefined, undefined, { mode: 'webhook', executionId, kept })).error
        ?.message;
    expect([await fail('e1'), await fail('e2')]).toEqual(['failed 1 [line 1]', 'failed 2 [line 1]']);
  });

  it('is limited to the static data that fits into every checkpoint', async () => {
    expect(
      (await runNodes(pool, rows('$getWorkflowStaticData("global").a = "x".repeat(70000); return {}'))).error?.message,
    ).toContain('static data is longer');
  });

  it('includes console output in the node run, even if it fails', async () => {
    const { runs } = await runNodes(
      pool,
      rows('console.log("in", $json); console.warn("then"); throw new Error("end")'),
    );
    expect(runs('C0')[0]).toMatchObject({ executionStatus: 'error', console: ['in {}', 'then'] });
    expect((await runNodes(pool, rows('return {}'))).runs('C0')[0]).not.toHaveProperty('console');
  });
});

describe('errors of code', () => {
  it('include the line', async () => {
    expect((await run('\nnull.x')).error).toMatchObject({
      name: 'NodeOperationError',
      message: "Cannot read properties of null (reading 'x') [line 2]",
      description: 'TypeError',
      node: { name: 'Code' },
    });
    expect((await run('if ($json.i === 2) {\n  throw new Error("bad") }\nreturn item', EACH)).error?.message).toBe(
      'bad [line 2]',
    );
    expect((await run('return [[')).error?.message).toBe("Unexpected token '}' [line 2]");
  });

  it('replace the result if the node continues', async () => {
    expect((await run('throw new Error("bad")', {}, { onError: 'continueRegularOutput' })).json('Code')).toEqual([
      { error: 'bad [line 1]' },
    ]);
    const each = await run('if ($json.i === 2) throw new Error("bad"); return item', EACH, { continueOnFail: true });
    expect(each.items('Code')).toEqual([
      { json: { i: 1 }, pairedItem: { item: 0 } },
      { json: { error: 'bad [line 1]' }, pairedItem: { item: 1 } },
      { json: { i: 3 }, pairedItem: { item: 2 } },
    ]);
  });

  it('go to the error output with their item', async () => {
    const { json } = await run('if ($json.i === 2) throw new Error("bad"); return item', EACH, {
      onError: 'continueErrorOutput',
    });
    expect([json('Code', 0), json('Code', 1)]).toEqual([[{ i: 1 }, { i: 3 }], [{ i: 2, error: 'bad [line 1]' }]]);
  });

  it('have the usual messages when the code catches them', async () => {
    expect((await run('try { undefined.x } catch (error) { return { error: error.message } }')).json('Code')).toEqual([
      { error: "Cannot read properties of undefined (reading 'x')" },
    ]);
  });

  it('explain what to do about limits', async () => {
    expect((await run('await new Promise(() => {})')).error).toMatchObject({
      message: 'The code waits for something that never happens',
    });
    expect((await run('const a = []; for (;;) a.push(new Uint8Array(1 << 20))')).error?.message).toContain(
      'exceeded its memory limit',
    );
  });

  it('report a language that does not exist before any code runs', async () => {
    expect((await run('', { language: 'ruby' })).error?.message).toContain('"ruby", which is not supported');
  });

  it('report code that is missing or too long', async () => {
    expect((await runNodes(pool, [['Code', 'code', {}]])).error?.message).toBe('The node has no code');
    expect((await run(' '.repeat(500_001))).error?.message).toContain('longer than 500000 characters');
  });
});

describe('files and code', () => {
  const files = memoryFiles();
  const withFile = async (): Promise<Parameters<typeof runNodes>[2]> => [
    {
      json: {},
      binary: { data: await files.store(Buffer.from('hello'), { mimeType: 'text/plain', fileName: 'a.txt' }) },
    },
  ];
  const runFile = async (jsCode: string): Promise<NodesResult> =>
    runNodes(
      pool,
      [
        ['Data', 'noOp', {}],
        ['Code', 'code', { jsCode }],
      ],
      await withFile(),
      files,
    );

  it('pass through as references, even under new names', async () => {
    const { items } = await runFile(
      'return items.map(({ json, binary }) => ({ json, binary: { photo: { ...binary.data, fileName: "b.txt" } } }))',
    );
    expect(items('Code')[0]?.binary).toEqual({
      photo: { id: 'file-0', mimeType: 'text/plain', fileType: 'text', fileName: 'b.txt', fileSize: '5 B', bytes: 5 },
    });
  });

  it('can be read by the code', async () => {
    expect(
      (await runFile('return { text: (await this.helpers.getBinaryDataBuffer(0, "data")).toString() }')).json('Code'),
    ).toEqual([{ text: 'hello' }]);
    expect(
      (await runFile('return { text: Buffer.from(items[0].binary.data.data, "base64").toString() }')).json('Code'),
    ).toEqual([{ text: 'hello' }]);
  });

  it('can be created by the code', async () => {
    const { items } = await runFile(
      'return [{ json: {}, binary: { page: await this.helpers.prepareBinaryData(Buffer.from("<p>ä"), ' +
        '"index.html", "text/html") } }]',
    );
    const page = items('Code')[0]?.binary?.['page'];
    expect(page).toMatchObject({
      mimeType: 'text/html',
      fileName: 'index.html',
      fileExtension: 'html',
      fileSize: '5 B',
    });
    expect(page === undefined ? '' : Buffer.from(await files.read(page)).toString()).toBe('<p>ä');
  });

  it('of other runs are not accessible by their id', async () => {
    expect(
      (
        await runFile(
          'return [{ json: {}, binary: { data: { id: "file-of-another-run", mimeType: "text/plain", fileSize: 5 } } }]',
        )
      ).error?.message,
    ).toBe('The binary property "data" is not a file [item 0]');
  });
});
