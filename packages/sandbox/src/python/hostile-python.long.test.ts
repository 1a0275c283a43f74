import { openSandboxes, type Sandboxes } from '../pools/sandboxes';
import { SANDBOX_LIMITS } from '../pools/limits';
import { sealArchitecture } from '../seal/system-calls';
import { runPython, runScript, type ScriptResult } from '../testing/run-script';

const isStopped = ({ stopped }: ScriptResult): boolean => stopped === 'time';
const lacksMemory = ({ stopped, error }: ScriptResult): boolean =>
  (stopped !== undefined && ['memory', 'engine', 'crash'].includes(stopped)) ||
  /Memory|Recursion|Overflow/.test(error?.message ?? '');
const endsByLimit = (result: ScriptResult): boolean => lacksMemory(result) || isStopped(result);
const fails = ({ stopped, error }: ScriptResult): boolean => stopped !== undefined || error !== undefined;

/** Programs that want too much. */
const HUNGRY: readonly (readonly [name: string, code: string, isRight: (result: ScriptResult) => boolean])[] = [
  ['a loop', 'while True:\n  pass', isStopped],
  ['a loop that catches everything', 'while True:\n  try:\n    1 / 0\n  except BaseException:\n    pass', isStopped],
  ['a regular expression', 'import re\nre.match("(a+)+$", "a" * 60 + "!")', isStopped],
  ['a large power', '3 ** (3 ** 30)', (result) => isStopped(result) || lacksMemory(result)],
  ['lists', 'kept = []\nwhile True:\n  kept.append([0] * 100000)', endsByLimit],
  ['strings', 'kept = "x"\nwhile True:\n  kept += kept', fails],
  ['bytes', 'return len(bytearray(2 ** 31))', lacksMemory],
  ['recursion', 'def f():\n  return f() + 1\nreturn f()', lacksMemory],
  [
    'recursion without a limit',
    'import sys\nsys.setrecursionlimit(10 ** 9)\ndef f(n):\n  return str([f(n + 1)])\nf(0)',
    (result) => lacksMemory(result) || isStopped(result),
  ],
  [
    'deep data',
    'import sys\nsys.setrecursionlimit(10 ** 9)\na = []\nfor _ in range(10 ** 6):\n  a = [a]\nreturn a',
    lacksMemory,
  ],
  ['a result of 20 MB', 'return "x" * 20_000_000', fails],
  ['files', 'n = 0\nwhile True:\n  open(f"/tmp/{n}", "w").write("x" * 1_000_000)\n  n += 1', fails],
  ['a process', 'import os\nos.fork()', fails],
  ['a program', 'import subprocess\nsubprocess.run(["/bin/true"])', fails],
  ['a thread', 'import threading\nthreading.Thread(target=print).start()', fails],
  ['a connection', 'import socket\nsocket.create_connection(("127.0.0.1", 4222), 1)', fails],
  ['a request', 'import urllib.request\nurllib.request.urlopen("http://127.0.0.1")', fails],
  ['an end', 'import os\nos._exit(0)', fails],
  ['an abort', 'import os\nos.abort()', fails],
  ['memory of others', 'import ctypes\nreturn len(ctypes.string_at(2 ** 32 - 16, 1000))', fails],
];

/** Programs that look for a way out. They return what they found. */
const CURIOUS: readonly (readonly [name: string, code: string, found: unknown])[] = [
  [
    'files of the host',
    'import os\nreturn [os.path.exists(p) for p in ("/etc/passwd", "/proc/1", "/usr", "/var")]',
    [false, false, false, false],
  ],
  [
    'the environment',
    'import os\nreturn [os.environ["HOME"], os.environ["PATH"], "NODE_OPTIONS" in os.environ]',
    ['/tmp', '/', false],
  ],
  [
    'JavaScript behind the function of the host',
    'import sys\nframe = sys._getframe()\nwhile "host" not in frame.f_globals:\n  frame = frame.f_back\n' +
      'host = frame.f_globals["host"]\ntry:\n  return host.constructor.new("return typeof process")()\n' +
      'except BaseException as error:\n  return type(error).__name__',
    'JsException',
  ],
  [
    // The message of an error about such a value would call one of its methods with a function of Node.
    'a function of Node, by a value that is not a string',
    `import sys
def classes(base, seen):
  for found in type.__subclasses__(base):
    if found not in seen:
      seen.add(found)
      classes(found, seen)
  return seen
finder = next(found for found in classes(object, set()) if found.__name__ == "JsFinder")
js = finder.find_spec.__globals__["jsfinder"].jsproxies["js"]
frame = sys._getframe()
while "host" not in frame.f_globals:
  frame = frame.f_back
apply, get, put = js.Reflect.apply, js.Reflect.get, js.Reflect.set
given, bound, value = js.Array.new(), js.Array.new(), js.Object.new()
bound.push(given)
put(value, "constructor", "")
spy = apply(get(js.Function.prototype, "bind"), get(js.Array.prototype, "push"), bound)
put(value, get(js.Symbol, "for")("nodejs.util.inspect.custom"), spy)
js.Object.defineProperties(js.Object.freeze, js.Object.getOwnPropertyDescriptors(js.String))
js.String = js.Object.freeze
frame.f_globals["host"]("log", value)
return given.length`,
    0,
  ],
];

(sealArchitecture() === undefined ? describe.skip : describe)('hostile Python', () => {
  let sandboxes: Sandboxes;
  beforeAll(async () => {
    sandboxes = openSandboxes({ processes: 1, memoryMb: 64, timeoutMs: 1_500 });
    await runPython(sandboxes.of('owner'), 'return 1');
  });
  afterAll(() => sandboxes.close());

  it.each(HUNGRY)('%s ends within its limits, and a peer is answered', async (_, code, isRight) => {
    const [result, peer] = await Promise.all([
      runPython(sandboxes.of('owner'), code),
      runPython(sandboxes.of('peer'), 'return "healthy"'),
    ]);
    expect({ result, isRight: isRight(result) }).toMatchObject({ isRight: true });
    expect(peer).toMatchObject({ value: 'healthy' });
    expect(await runScript(sandboxes.of('owner'), 'return 1')).toMatchObject({ value: 1 });
  });

  it.each(CURIOUS)('%s: finds nothing', async (_, code, found) => {
    expect(await runPython(sandboxes.of('owner'), code)).toMatchObject({ value: found });
  });

  it('cannot flood the console: its stored part is bounded, and has the first lines', async () => {
    const { console } = await runPython(sandboxes.of('owner'), 'while True:\n  print("x" * 1000)');
    expect(console[0]).toBe('x'.repeat(1000));
    expect(Buffer.byteLength(console.join(''))).toBeLessThan(SANDBOX_LIMITS.consoleBytes + 100);
  });
});
