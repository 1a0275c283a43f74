import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The files of Pyodide that are loaded, as text or bytes. */
export interface PythonFiles {
  /** Defines `loadPyodide`. */
  readonly loader: string;
  /** The glue of the WebAssembly module, an ES module. */
  readonly glue: string;
  readonly wasm: Uint8Array;
  /** The standard library, a ZIP file. */
  readonly library: Uint8Array;
  /** JSON with the version of Python and of its interface. */
  readonly lock: string;
}

/** Path of the folder of Pyodide, which is an optional dependency; undefined if it is not installed. */
export function pythonFolder(): string | undefined {
  try {
    return dirname(require.resolve('pyodide/package.json'));
  } catch {
    return undefined;
  }
}

/** Reads the files of a folder with Pyodide. @throws Error if one is missing */
export function readPythonFiles(folder: string): PythonFiles {
  const text = (name: string): string => readFileSync(join(folder, name), 'utf8');
  return {
    loader: text('pyodide.js'),
    glue: text('pyodide.asm.mjs'),
    wasm: readFileSync(join(folder, 'pyodide.asm.wasm')),
    library: readFileSync(join(folder, 'python_stdlib.zip')),
    lock: text('pyodide-lock.json'),
  };
}
