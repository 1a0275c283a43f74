import type { JsonObject } from '@weft/node-catalogue';
import { referenceTo } from '@weft/engine';
import { openCode } from '../testing/open-code';
import { type NodesResult, runNodes } from '../code/testing/run-nodes';

const pool = openCode();
afterAll(() => pool.close());

const TWO = [{ json: { i: 1 } }, { json: { i: 2 } }];
const run = (kind: string, functionCode: string, over: JsonObject = {}): Promise<NodesResult> =>
  runNodes(
    pool,
    [
      ['Data', 'noOp', {}],
      ['F', kind, { functionCode, limit: 3 }, over],
    ],
    TWO,
  );

describe.each([1, 2])('Function version %d', (typeVersion) => {
  it('outputs the items that it returns, with declared and undeclared variables', async () => {
    const { json } = await run(
      'function',
      'items = items.concat([{ json: { i: 3 } }]);\nwanted = 2;\nreturn items.filter((item) => item.json.i >= wanted)',
      { typeVersion },
    );
    expect(json('F')).toEqual([{ i: 2 }, { i: 3 }]);
  });
});

describe('Function', () => {
  it('accepts plain objects as items', async () => {
    expect((await run('function', 'return [{ a: 1 }, { a: 2 }]')).json('F')).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it('may output a list as the JSON of an item, which later nodes read as n8n does', async () => {
    const list = [{ id: 1 }, { id: 2 }];
    const { json } = await runNodes(
      pool,
      [
        ['Data', 'function', { functionCode: `items[0].json = ${JSON.stringify(list)}; return items` }],
        ['Nothing', 'noOp', {}],
        [
          'Names',
          'set',
          { assignments: { assignments: [{ name: 'n', type: 'number', value: '={{ $json.length }}' }] } },
          { typeVersion: 3.4 },
        ],
        ['Items', 'function', { functionCode: 'return $node["Data"].json.map((json) => ({ json }))' }],
      ],
      [{ json: {} }],
    );
    expect(json('Data')).toEqual([list]);
    expect(json('Nothing')).toEqual([list]);
    expect(json('Names')).toEqual([{ n: 2 }]);
    expect(json('Items')).toEqual(list);
  });

  it('reads other nodes, its parameters, and static data', async () => {
    const { json } = await run(
      'function',
      'const s = getWorkflowStaticData("node"); s.n = 1; return [{ json: { i: $node["Data"].json.i, limit: ' +
        'getNodeParameter("limit"), n: s.n } }]',
    );
    expect(json('F')).toEqual([{ i: 1, limit: 3, n: 1 }]);
  });

  it.each([
    ['const a = 1', 'No data got returned. Always return an Array of items!'],
    ['return 5', 'Always an Array of items has to be returned!'],
    ['return [{ json: {} }, { a: 1 }]', 'All returned items have to contain a property named "json"!'],
    ['return [{ json: 5 }]', "A 'json' property isn't an object [item 0]"],
    ['\nthrow new Error("bad")', 'bad [Line 2]'],
  ])('rejects a result that is not an array of items: %j', async (functionCode, message) => {
    expect((await run('function', functionCode)).error?.message).toBe(message);
  });

  it('outputs its error as an item if it continues', async () => {
    expect((await run('function', 'throw new Error("bad")', { continueOnFail: true })).json('F')).toEqual([
      { error: 'bad [Line 1]' },
    ]);
  });
});

describe('Function item version 1', () => {
  it('changes the fields of each item', async () => {
    const { items } = await run('functionItem', 'item.double = item.i * 2; item.at = index; return item');
    expect(items('F')).toEqual([
      { json: { i: 1, double: 2, at: 0 }, pairedItem: { item: 0 } },
      { json: { i: 2, double: 4, at: 1 }, pairedItem: { item: 1 } },
    ]);
  });

  it('retains the files of each item', async () => {
    const binary = { data: referenceTo('f', { mimeType: 'text/plain' }, 1) };
    const { items } = await runNodes(
      pool,
      [
        ['Data', 'noOp', {}],
        ['F', 'functionItem', { functionCode: 'return { a: 1 }' }],
      ],
      [{ json: {}, binary }],
    );
    expect(items('F')).toEqual([{ json: { a: 1 }, binary, pairedItem: { item: 0 } }]);
  });

  it('rejects a result that is not an object, and adds line and item to an error', async () => {
    expect((await run('functionItem', 'return 5')).error?.message).toBe(
      'No data got returned. Always return an object!',
    );
    expect((await run('functionItem', 'if (item.i === 2) throw new Error("bad"); return item')).error?.message).toBe(
      'bad [Line 1 | Item Index: 1]',
    );
  });

  it('continues with the next item if the node continues on failure', async () => {
    const { json } = await run('functionItem', 'if (item.i === 1) throw new Error("bad"); return item', {
      onError: 'continueRegularOutput',
    });
    expect(json('F')).toEqual([{ error: 'bad [Line 1 | Item Index: 0]' }, { i: 2 }]);
  });
});
