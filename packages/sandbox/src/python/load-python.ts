import { Script } from 'node:vm';
import { realmScript } from '../child/load-prelude';
import { createRealmContext } from '../child/realms';
import type { HostFunction } from '../prelude/host';
import { PYTHON_LIBRARY } from './library';
import type { PythonFiles } from './python-package';
import { REALM_SCRIPT } from './realm-script';

/** A Python interpreter. */
export interface Python {
  /**
   * Runs code.
   * @param input JSON of a `CodeInput`
   * @returns its `CodeReport` as JSON, `memory` or `never`
   * @throws if its engine fails, a value of the realm that must not be inspected
   */
  readonly run: (code: string, input: string) => string;
  /** Prepares the memory for being shared with copies of this process. */
  readonly freeze: () => void;
}

interface Started {
  readonly run: (code: string, input: string) => unknown;
  readonly freeze: () => unknown;
}

/** The parts of the lock file that Pyodide needs: without the packages, which cannot be installed. */
const lockOf = (text: string): string => {
  const { info }: { info: unknown } = JSON.parse(text);
  return JSON.stringify({ info, packages: {} });
};

/** The glue as a script that evaluates to the function which it exports. */
const glueScript = (text: string): string =>
  text.replaceAll('import.meta.url', '""').replace('export default _createPyodideModule', '_createPyodideModule');

/**
 * Starts Python in a new realm, prepared as one for JavaScript, so that code which gets from Python to the realm finds
 * what JavaScript finds: neither Node nor a way to compile strings.
 * @param hosts functions that get and return strings only: for the realm, as for one of JavaScript, and for Python, the
 * operations of {@link REALM_SCRIPT}
 */
export async function loadPython(
  files: PythonFiles,
  hosts: { readonly realm: HostFunction; readonly python: HostFunction },
): Promise<Python> {
  const context = createRealmContext({ codeGeneration: { strings: false, wasm: true } });
  const evaluate = (text: string, filename = 'prelude'): unknown =>
    new Script(text, { filename }).runInContext(context);
  const call = (made: unknown, ...values: readonly unknown[]): unknown => {
    if (typeof made !== 'function') throw new Error('Python is not as expected.');
    return Reflect.apply(made, undefined, values);
  };
  // The realm loses its name when it is prepared for code.
  const wasm = evaluate('WebAssembly');
  call(evaluate(realmScript()), hosts.realm);
  const bytes = { 'pyodide.asm.wasm': files.wasm, 'python_stdlib.zip': files.library };
  const start = call(evaluate(REALM_SCRIPT), hosts.python, wasm, bytes, lockOf(files.lock));
  evaluate(files.loader, 'python');
  const started = await call(start, evaluate(glueScript(files.glue), 'python'), PYTHON_LIBRARY);
  if (!isStarted(started)) throw new Error('Python could not be started.');
  return {
    run: (code, input) => {
      const report = started.run(code, input);
      if (typeof report !== 'string') throw new Error('Python returned no report.');
      return report;
    },
    freeze: () => void started.freeze(),
  };
}

const isStarted = (value: unknown): value is Started =>
  typeof value === 'object' && value !== null && 'run' in value && 'freeze' in value;
