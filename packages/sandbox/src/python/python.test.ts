import { closeAfterEach } from '@weft/service-kit/testing';
import { openSandboxes, type Sandboxes } from '../pools/sandboxes';
import { sealArchitecture } from '../seal/system-calls';
import { runPython, runScript } from '../testing/run-script';

const LIMITS = { processes: 1, memoryMb: 64, timeoutMs: 5_000 };

(sealArchitecture() === undefined ? describe.skip : describe)('Python', () => {
  let sandboxes: Sandboxes;
  beforeAll(() => {
    sandboxes = openSandboxes(LIMITS);
  });
  afterAll(() => sandboxes.close());
  const run = (code: string, over = {}): ReturnType<typeof runPython> => runPython(sandboxes.of('owner'), code, over);

  it('returns the value of the code, and what it prints', async () => {
    expect(
      await run('print("a", 1)\nprint({"b": None})\nreturn {"sum": sum(range(10)), "ü": [1.5, True, None]}'),
    ).toEqual({ value: { sum: 45, ü: [1.5, true, null] }, console: ['a 1', "{'b': None}"] });
  });

  it('gives fields as attributes and by name, as objects of JavaScript have them', async () => {
    const items = [{ json: { a: { b: [1, { c: 2 }] } } }];
    const code =
      'j = _input.first().json\nj.n = j.a.b[1].c\nreturn [j["n"], j.get("x", 5), len(j.a.b), j.a.to_py(), _json == j]';
    expect((await run(code, { items })).value).toEqual([2, 5, 2, { b: [1, { c: 2 }] }, true]);
  });

  it('starts each run with an interpreter that no other run has touched', async () => {
    await run('import json, builtins\njson.dumps = None\nbuiltins.len = None\nopen("/tmp/left", "w").write("x")');
    expect((await run('import json, os\nreturn [json.dumps([len("ab")]), os.listdir("/tmp")]')).value).toEqual([
      '[2]',
      [],
    ]);
  });

  it('gives each run other random numbers', async () => {
    const code = 'import os, random, uuid\nreturn [random.random(), str(uuid.uuid4()), os.urandom(8).hex()]';
    const both = JSON.stringify([await run(code), await run(code)]).match(/[\w.-]{10,}/g) ?? [];
    expect(both).toHaveLength(6);
    expect(new Set(both).size).toBe(6);
  });

  it('names the line of an error, in the code as it was written', async () => {
    expect((await run('a = """\n\n"""\n\ndef f():\n    raise KeyError("x")\nf()')).error).toMatchObject({
      message: "KeyError: 'x'",
      line: 6,
    });
    expect((await run('x = 1\nreturn (')).error).toMatchObject({
      message: "SyntaxError: '(' was never closed",
      line: 2,
    });
  });

  it('waits without a thread, and reports what never ends', async () => {
    const code =
      'import asyncio, time\ntime.sleep(0.01)\nawait asyncio.gather(asyncio.sleep(0.01), asyncio.sleep(0))\nreturn 1';
    expect((await run(code)).value).toBe(1);
    expect((await run('import asyncio\nawait asyncio.Event().wait()')).stopped).toBe('never');
    expect((await run('import asyncio\nasync def f():\n  return 2\nreturn asyncio.run(f())')).value).toBe(2);
  });

  it.each([
    ['pandas', "No module named 'pandas'. Code can use the standard library of Python; packages cannot be installed."],
    [
      'micropip',
      "No module named 'micropip'. Code can use the standard library of Python; packages cannot be installed.",
    ],
    ['tkinter', "No module named 'tkinter'. This part of the standard library is not available in code."],
    ['pyodide_js', "No module named 'pyodide_js'. Code cannot reach JavaScript."],
  ])('says what can be imported instead of %s', async (name, message) => {
    expect((await run(`import ${name}`)).error?.message).toBe(`ModuleNotFoundError: ${message}`);
  });

  it('has the functions of JavaScript that code for n8n imports', async () => {
    const code =
      'from js import Object, JSON\nfrom pyodide.ffi import JsProxy, to_js\n' +
      'return [Object.keys(_json), JSON.stringify(_json), isinstance(_json, JsProxy), to_js({"a": {"b": 1}}).a.b]';
    expect((await run(code, { items: [{ json: { a: 1 } }] })).value).toEqual([['a'], '{"a":1}', true, 1]);
    expect((await run('from js import fetch')).error?.message).toContain("cannot import name 'fetch'");
  });

  it('runs for each item, and continues after a failing one if it may', async () => {
    const items = [{ json: { n: 1 } }, { json: { n: 0 } }];
    const each = { items, itemCount: 2, perItem: true };
    expect((await run('return {"json": {"of": 1 / _json.n}}', each)).error).toMatchObject({ line: 1 });
    const native = await run('return {"of": _item["json"]["n"]}', { ...each, style: 'pythonNative' });
    expect(native.error).toBeUndefined();
  });

  it('runs next to JavaScript of the same owner', async () => {
    expect(await runScript(sandboxes.of('owner'), 'return 1')).toMatchObject({ value: 1 });
    expect((await run('return 1')).value).toBe(1);
  });
});

describe('a runner without Python', () => {
  const later = closeAfterEach();

  it('refuses code in Python, and reports it once', async () => {
    let told = 0;
    const onNoPython = (): void => void (told += 1);
    const sandboxes = later(openSandboxes({ ...LIMITS, pythonPath: undefined, onNoPython }), (opened) =>
      opened.close(),
    );
    for (let run = 0; run < 2; run += 1)
      expect(await runPython(sandboxes.of('owner'), 'return 1')).toEqual({ stopped: 'absent', console: [] });
    expect(told).toBe(1);
  });
});
