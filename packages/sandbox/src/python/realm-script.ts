/**
 * A script for a realm that has been prepared for user code. It evaluates to a function that sets the names by which
 * Pyodide takes the realm for the shell of a JavaScript engine, because there is neither Node nor a browser in it, and
 * returns another one, which starts Python and resolves to the functions of the Python library.
 *
 * `host(operation, text)` is the only function from outside. Python calls its operations `log`, `wait` and `offset`;
 * Pyodide gets `random` bytes in base64 through a command of a shell.
 */
export const REALM_SCRIPT = String.raw`(function (host, WebAssembly, files, lock) {
  'use strict';
  const { defineProperty, deleteProperty } = Reflect;
  /** Names that Pyodide looks up while it runs. */
  const KEPT = ['os', 'performance'];
  const guarded = (operation, text) => {
    try {
      return String(host(String(operation), String(text)));
    } catch {
      throw new RangeError('Maximum call stack size exceeded');
    }
  };
  const set = (name, value) => defineProperty(globalThis, name, { value, writable: true, configurable: true });
  // The timers of a realm for code run only while code does.
  const soon = (callback) => void Promise.resolve().then(() => callback());
  const names = {
    read: (name) => lock,
    readbuffer: (name) => new Uint8Array(files[name.slice(name.lastIndexOf('/') + 1)]).buffer,
    load: () => undefined,
    os: { system: (_command, [_flag, text]) => guarded('random', String(/\d+/.exec(text))) },
    performance: { now: () => Date.now() },
    setTimeout: soon,
    setImmediate: soon,
    clearTimeout: () => undefined,
    WebAssembly,
  };
  for (const name of Object.keys(names)) set(name, names[name]);
  return (createModule, library) => globalThis
    .loadPyodide({
      indexURL: '/pyodide/',
      createPyodideModule: createModule,
      lockFileContents: lock,
      convertNullToNone: true,
      env: { HOME: '/tmp', TZ: 'UTC', PYTHONDONTWRITEBYTECODE: '1' },
      stdin: () => null,
      stdout: () => undefined,
      stderr: () => undefined,
    })
    .then((python) => {
      python.globals.set('host', guarded);
      python.runPython(library);
      python.runPython('install()');
      const run = python.globals.get('run');
      const freeze = python.globals.get('freeze');
      for (const name of [...Object.keys(names), 'loadPyodide'])
        if (!KEPT.includes(name)) deleteProperty(globalThis, name);
      return {
        run: (code, input) => String(run(code, input)),
        freeze: () => freeze(),
      };
    });
})`;
