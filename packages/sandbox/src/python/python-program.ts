import { join } from 'node:path';
import { SANDBOX_LIMITS } from '../pools/limits';
import type { PoolProgram } from '../pools/pool';

/** Node flags of the program that runs Python. */
const PYTHON_FLAGS: readonly string[] = [
  // Threads are not copied by a fork, so V8 must not rely on any.
  '--single-threaded',
  '--disallow-code-generation-from-strings',
  '--disable-proto=delete',
  '--no-warnings',
  // Below the 8 MiB of a main thread's stack. Python recurses deeper than JavaScript.
  '--stack-size=3900',
  '--max-semi-space-size=8',
];

/**
 * The program that runs Python. Each run has a separate process, a copy of one in which nothing but the interpreter has
 * run, because nothing restores an interpreter after a run.
 * @param folder path of Pyodide
 */
export const pythonProgram = (folder: string): PoolProgram => ({
  path: join(__dirname, 'python-server.js'),
  values: [folder],
  flags: PYTHON_FLAGS,
  inputBytes: SANDBOX_LIMITS.inputBytes,
  resultBytes: SANDBOX_LIMITS.resultBytes,
  runsMax: 1,
  // The interpreter takes seconds of CPU to start, which a busy machine multiplies.
  startMs: 120_000,
  isForked: true,
});
