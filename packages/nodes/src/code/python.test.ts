import type { JsonObject } from '@weft/node-catalogue';
import { openCode } from '../testing/open-code';
import { memoryState } from '../testing/memory-state';
import type { NodeExecutor } from '@weft/engine';
import { memoryFiles } from '@weft/engine/testing';
import { NODE_REGISTRY } from '../executors';
import { code } from './executor';
import { runNodes, type NodesResult } from './testing/run-nodes';

const THREE = [{ json: { i: 1 } }, { json: { i: 2 } }, { json: { i: 3 } }];
const EACH = { mode: 'runOnceForEachItem' };
const pool = openCode();
afterAll(() => pool.close());

const run = (
  language: 'python' | 'pythonNative',
  pythonCode: string,
  parameters: JsonObject = {},
  over: JsonObject = {},
): Promise<NodesResult> =>
  runNodes(
    pool,
    [
      ['Data', 'noOp', {}],
      ['Code', 'code', { language, pythonCode, ...parameters }, { typeVersion: 2, ...over }],
    ],
    THREE,
  );

describe.each([
  ['python', 'for item in _input.all():\n  item.json.double = item.json.i * 2\nreturn _input.all()'],
  ['pythonNative', 'for item in _items:\n  item["json"]["double"] = item["json"]["i"] * 2\nreturn _items'],
] as const)('Code in %s', (language, all) => {
  it('runs once for all items, and links those that it passes on', async () => {
    const { error, items } = await run(language, all);
    expect(error).toBeUndefined();
    expect(items('Code')).toEqual([1, 2, 3].map((i, item) => ({ json: { i, double: i * 2 }, pairedItem: { item } })));
  });

  it('runs once for each item, drops those without a result, and links the others', async () => {
    const code = 'if _item["json"]["i"] == 2:\n  return None\nreturn {"json": {"at": _item["json"]["i"]}}';
    expect((await run(language, code, EACH)).items('Code')).toEqual([
      { json: { at: 1 }, pairedItem: { item: 0 } },
      { json: { at: 3 }, pairedItem: { item: 2 } },
    ]);
  });

  it.each([
    ['a number', 'return 5', "Code doesn't return items properly"],
    ['numbers', 'return [1, 2]', "Code doesn't return items properly"],
    ['a mix of items and objects', 'return [{"json": {}}, {"a": 1}]', 'Unknown top-level item key: a [item 1]'],
    ['a key that JSON does not have', 'return [{(1, 2): 1}]', 'TypeError: keys must be str'],
    ['a circle', 'd = {}\nd["d"] = d\nreturn d', 'ValueError: Circular reference detected'],
    ['an error', 'a = 1\nraise ValueError("bad")', 'ValueError: bad [line 2]'],
    ['wrong syntax', 'a = 1\n\nreturn )', "SyntaxError: unmatched ')' [line 3]"],
    ['a package', 'import numpy as np', 'packages cannot be installed. [line 1]'],
  ])('fails for %s', async (_, code, message) => {
    expect((await run(language, code)).error?.message).toContain(message);
  });

  it('gives the error of an item to that item, if the node continues', async () => {
    const code = 'return {"json": {"of": 6 // (_item["json"]["i"] - 2)}}';
    expect((await run(language, code, EACH, { onError: 'continueRegularOutput' })).json('Code')).toEqual([
      { of: -6 },
      { error: expect.stringMatching(/^ZeroDivisionError: .* \[line 1\]$/) },
      { of: 6 },
    ]);
  });

  it('stores what the code prints', async () => {
    const { runs } = await run(language, 'print("seen", len(_items))\nreturn []');
    expect(JSON.stringify(runs('Code'))).toContain('seen 3');
  });

  it.each([
    ['prints', 'print("the planted-secret")\nreturn []', '"console":["the ***"]'],
    ['returns', 'return [{"a": "the planted-secret"}]', '"json":{"a":"the ***"}'],
    ['raises', 'raise ValueError("the planted-secret")', '"message":"ValueError: the *** [line 1]"'],
  ])('hides the secrets of the node in what the code %s', async (_, pythonCode, stored) => {
    const hiding: NodeExecutor = {
      ...code,
      run: (context) => {
        context.hide('planted-secret');
        return code.run(context);
      },
    };
    const { runs } = await runNodes(
      pool,
      [['Code', 'code', { language, pythonCode }, { typeVersion: 2 }]],
      [{ json: {} }],
      memoryFiles(),
      { registry: new Map([...NODE_REGISTRY, ['code', hiding]]) },
    );
    expect(JSON.stringify(runs('Code'))).toContain(stored);
    expect(JSON.stringify(runs('Code'))).not.toContain('planted-secret');
  });
});

describe('Code in python', () => {
  it('reads other nodes by name, and the fields of the run', async () => {
    const { error, json } = await run(
      'python',
      'return [{"json": {"first": _("Data").first().json.i, "paired": _("Data").itemMatching(2).json.i, ' +
        '"node": _node["Data"].json.i, "workflow": _workflow.name, "mode": _mode, "index": _itemIndex, ' +
        '"limit": _vars.limit, "today": len(_today.toISODate())}}]',
    );
    expect(error).toBeUndefined();
    expect(json('Code')).toEqual([
      { first: 1, paired: 3, node: 1, workflow: 'Test', mode: 'manual', index: 0, limit: 5, today: 10 },
    ]);
  });

  it('fails for a node that does not exist', async () => {
    expect((await run('python', 'return _("None").first()')).error?.message).toContain("Referenced node doesn't exist");
  });

  it('needs a result for all items, unlike native Python', async () => {
    expect((await run('python', 'a = 1')).error?.message).toContain("Code doesn't return items properly");
    expect((await run('pythonNative', 'a = 1')).items('Code')).toEqual([]);
  });

  it('keeps static data', async () => {
    const kept = memoryState();
    const pythonCode = 'data = _getWorkflowStaticData("global")\ndata.n = data.get("n", 0) + 1\nreturn {"n": data.n}';
    const once = (executionId: string): Promise<NodesResult> =>
      runNodes(
        pool,
        [['Code', 'code', { language: 'python', pythonCode }, { typeVersion: 2 }]],
        [{ json: {} }],
        memoryFiles(),
        { mode: 'webhook', executionId, kept },
      );
    await once('e1');
    expect((await once('e2')).json('Code')).toEqual([{ n: 2 }]);
  });

  it('reads and makes files', async () => {
    const files = memoryFiles();
    const file = await files.store(Buffer.from('hello'), { mimeType: 'text/plain', fileName: 'a.txt' });
    const pythonCode =
      'import base64\ntext = base64.b64decode(item.binary.file.data).decode()\n' +
      'data = base64.b64encode(text.upper().encode()).decode()\n' +
      'return {"json": {"text": text}, "binary": {"out": {"data": data, "mimeType": "text/plain"}}}';
    const { error, items } = await runNodes(
      pool,
      [
        ['Data', 'noOp', {}],
        ['Code', 'code', { language: 'python', pythonCode, ...EACH }, { typeVersion: 2 }],
      ],
      [{ json: {}, binary: { file } }],
      files,
    );
    expect(error).toBeUndefined();
    const [item] = items('Code');
    expect(item?.json).toEqual({ text: 'hello' });
    const made = item?.binary?.['out'];
    expect(made === undefined ? undefined : Buffer.from(await files.read(made)).toString()).toBe('HELLO');
  });
});
